import type { GroupDeclaration } from '../shared/group.ts'

export const webhooksGroup = {
  name: 'webhooks',
  description: 'Webhook endpoints, deliveries and events.',
  ids: { event: 'evt_', delivery: 'dlv_', endpoint: 'whe_' },
  limits: {
    /** Per mode. */
    endpointsPerAccount: 100,
  },
  events: { failing: 'webhook.endpoint_failing', disabled: 'webhook.endpoint_disabled' },
} as const satisfies GroupDeclaration
