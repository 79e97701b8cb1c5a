import { CALL_EVENT_TYPES, CALL_STATUSES } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { IdMaker } from '@vaani/service-kit/ids'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import { deriveEventId } from '../webhooks/port.ts'
import { type CallRow, toCall } from './view.ts'

/** Makes the row of the webhook event for the status that a call has just entered. */
export function describeEvent(row: CallRow, options: { clock: Clock; makeId: IdMaker }) {
  const created_at = new Date(options.clock.nowMs())
  const type = CALL_EVENT_TYPES[row.status]
  const event_id = deriveEventId(
    {
      objectId: row.call_id,
      objectCreatedAt: row.created_at,
      type,
      step: CALL_STATUSES.indexOf(row.status),
    },
    options,
  )
  const body = JSON.stringify({ event_id, type, created_at: created_at.toISOString(), data: toCall(row) })
  return {
    event_id,
    account_id: row.account_id,
    livemode: row.livemode,
    type,
    object_id: row.call_id,
    body,
    created_at,
    // If a sweep ends the call, the event belongs to the trace of the request that placed it.
    traceparent: currentTraceparent() ?? row.traceparent,
  }
}
