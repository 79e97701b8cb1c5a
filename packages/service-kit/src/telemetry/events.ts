import type { Logger } from './log.ts'

/** What happens in the business, by name: each is logged and counted here and nowhere else. */
export const BUSINESS_EVENTS = [
  'call_placed',
  'call_dialled',
  'call_answered',
  'call_ended',
  'call_canceled',
  'call_interrupted',
  'recording_lost',
  'recording_erased',
  'stream_started',
  'stream_aborted',
  'upload_cut',
  'key_created',
  'key_revoked',
  'account_created',
  'verification_submitted',
  'verification_decided',
  'verification_reviewed',
  'webhook_dead',
  'webhook_lane_opened',
  'webhook_endpoint_disabled',
] as const
export type BusinessEvent = (typeof BUSINESS_EVENTS)[number]

export interface Events {
  record(event: BusinessEvent, fields?: Readonly<Record<string, string | number>>): void
  counts(): Readonly<Record<BusinessEvent, number>>
}

export function createEvents(log: Logger): Events {
  const counts = Object.fromEntries(BUSINESS_EVENTS.map((event) => [event, 0])) as Record<
    BusinessEvent,
    number
  >
  return {
    record(event, fields = {}) {
      counts[event]++
      log.info({ event, ...fields }, event)
    },
    counts: () => ({ ...counts }),
  }
}
