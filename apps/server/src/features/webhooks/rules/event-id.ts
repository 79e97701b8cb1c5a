import { hash } from 'node:crypto'
import { createId, type Id } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { IdMaker } from '@vaani/service-kit/ids'

/**
 * Age of an object from which the ids of its events are random. Derived ids have the time of their object, and events are kept by the
 * month of their ids, so each day here keeps events for a day longer.
 */
export const DERIVED_DAYS = 7
const DAY_MS = 86_400_000

/** The change that an event reports. No object enters a status twice. */
export interface Entry {
  objectId: string
  objectCreatedAt: Date
  /** Type of the event, which names the status. */
  type: string
  /** Position of the status among those of the object, up to 255, by which its events sort. */
  step: number
}

/**
 * Derives the id of an event from the change that it reports. A server that is restored from a backup may repeat a change that was
 * announced after the backup. Its event then has the same `webhook-id`, so receivers that remember ids ignore it.
 */
export function deriveEventId(
  { objectId, objectCreatedAt, type, step }: Entry,
  { clock, makeId }: { clock: Clock; makeId: IdMaker },
): Id<'event'> {
  const createdMs = objectCreatedAt.getTime()
  if (clock.nowMs() - createdMs > DERIVED_DAYS * DAY_MS) return makeId('event')
  const random = hash('sha256', `${objectId} ${type}`, 'buffer').subarray(0, 10)
  // These are the most significant bits after the time.
  random.set([0, step])
  return createId('event', { nowMs: createdMs, random })
}
