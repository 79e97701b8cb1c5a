import type { GroupDeclaration } from '../shared/group.ts'

export const deploymentsGroup = {
  name: 'deployments',
  description: 'On-premise deployments of models.',
  ids: { deployment: 'dep_' },
  limits: {
    /** Whose licenses have not expired, per mode. */
    deploymentsPerAccount: 1000,
    deploymentReplicas: 100,
    licenseDays: 3650,
    licenseSeats: 1000,
    /** Besides the base model. */
    licenseModels: 30,
    licenseModelCharacters: 100,
  },
  rateLimits: {
    deployments: {
      per: 'account',
      rates: { starter: null, pro: null, enterprise: { limit: 20, periodSeconds: 60 } },
      beyondSpecification: true,
    },
  },
  scopes: ['deploy:write'],
} as const satisfies GroupDeclaration
