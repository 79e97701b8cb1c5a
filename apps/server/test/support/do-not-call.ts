import { createMeter } from '@vaani/service-kit/telemetry/meter'
import { createDoNotCallPort } from '../../src/features/do-not-call/create-port.ts'
import { declareDoNotCallMetrics } from '../../src/features/do-not-call/metrics.ts'

/** The do-not-call lists, for tests that open a store of calls without a server. */
export const doNotCall = createDoNotCallPort(declareDoNotCallMetrics(createMeter()))
