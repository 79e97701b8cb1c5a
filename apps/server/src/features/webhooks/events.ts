/** Events about deliveries that are counted and logged. */
export const WEBHOOK_EVENTS = ['webhook_dead', 'webhook_lane_opened', 'webhook_endpoint_disabled'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
