import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { LimitsContext } from './context.ts'
import { retrieveLimits } from './routes/retrieve.ts'

/** How near accounts are to their limits. */
export const limitsFeature = defineFeature({
  name: 'limits',
  contract: { limits: contract.limits },
  start: async (context: LimitsContext) => ({
    mounts: [handle(contract.limits, { retrieve: retrieveLimits(context) })],
    port: undefined,
  }),
})
