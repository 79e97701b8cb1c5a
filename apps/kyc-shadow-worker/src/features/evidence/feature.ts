import { defineFeature } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { CallbackSettings } from '../../callback-settings.ts'
import type { ShadowSettings } from '../../settings.ts'
import { createEvidence } from './evidence.ts'
import * as evidence from './migrations/0002-evidence.ts'
import type { EvidencePort } from './port.ts'
import { type EvidenceSettings, evidenceSettings } from './settings.ts'
import { createEvidenceStore } from './store.ts'

type Needs = Pick<Services, 'database' | 'clock'> & {
  shadow: ShadowSettings
  callbacks: CallbackSettings
  settings: EvidenceSettings
}

/** Also if no caller uses callbacks: the gate wants to know that those of v2 arrive. */
const NO_ADDRESS =
  'The worker asks v2 for no callbacks, because it has no address for them: set VAANI_SHADOW_CALLBACK_BASE_URL and ' +
  'VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET and restart it, or promote with --force and a reason if nobody relies on callbacks'

/** Counts what pairs show, and judges it. */
export const evidenceFeature = defineFeature({
  name: 'evidence',
  contract: {},
  settings: evidenceSettings,
  migrations: { '0002-evidence': evidence },
  async start(needs: Needs) {
    const { database, clock, settings, shadow, callbacks } = needs
    const store = createEvidenceStore(database, shadow.primaryUrl.origin)
    const port: EvidencePort = createEvidence({
      store,
      clock,
      allowed: settings.allowedRates,
      obstacles: callbacks.callbackBaseUrl === null ? { missing_callbacks: NO_ADDRESS } : {},
    })
    return { mounts: [], port, sweeps: { 'hours of evidence': () => store.sweepHours(clock.nowMs()) } }
  },
})
