import { MIB } from '../shared/bytes.ts'
import type { GroupDeclaration } from '../shared/group.ts'
import { DAY_SECONDS } from '../shared/rates.ts'

export const voicesGroup = {
  name: 'voices',
  description: 'Cloned voices.',
  ids: { voice: 'vox_' },
  limits: {
    /** Per mode. */
    voicesPerAccount: 100,
    cloneSamplesMax: 5,
    cloneSampleBytes: 20 * MIB,
  },
  rateLimits: {
    voice_cloning: {
      per: 'account',
      rates: {
        starter: null,
        pro: { limit: 5, periodSeconds: DAY_SECONDS },
        enterprise: { limit: 50, periodSeconds: DAY_SECONDS },
      },
      counted: 'accepted',
      beyondSpecification: false,
    },
  },
  scopes: ['voices:write'],
} as const satisfies GroupDeclaration
