/** Events about batches that are counted and logged. */
export const BATCH_EVENTS = ['batch_created', 'batch_ended', 'batch_deleted'] as const
export type BatchLogEvent = (typeof BATCH_EVENTS)[number]
