import type { SentCall } from '@vaani/contracts'
import type { Selectable } from 'kysely'
import type { CallTable } from './tables.ts'

export type CallRow = Selectable<CallTable>

/**
 * Converts a row to the API's form. Fields that do not apply are absent, not null. Fields are in the order of the schema,
 * because a replay repeats this text and must equal the first response byte for byte.
 */
export function toCall(row: CallRow): SentCall {
  return {
    call_id: row.call_id,
    status: row.status,
    to: row.to_number,
    agent_id: row.agent_id,
    ...(row.scheduled_at_text !== null && { scheduled_at: row.scheduled_at_text }),
    ...(row.from_caller_id !== null && { from_caller_id: row.from_caller_id }),
    language: row.language,
    ...(row.metadata !== null && { metadata: row.metadata as SentCall['metadata'] }),
    ...(row.status === 'queued' &&
      row.ringing_since !== null && { ringing_since: row.ringing_since.toISOString() }),
    ...(row.answered_at !== null && { answered_at: row.answered_at.toISOString() }),
    ...(row.duration_seconds !== null && { duration_seconds: row.duration_seconds }),
    ...(row.failure_reason !== null && { failure_reason: row.failure_reason }),
    ...(row.ended_by !== null && { ended_by: row.ended_by }),
    ...(row.sip_status !== null && { sip_status: row.sip_status }),
    ...(row.q850_cause !== null && { q850_cause: row.q850_cause }),
    ...(row.quality !== null && { quality: row.quality }),
    direction: row.direction,
    livemode: row.livemode,
    carrier: row.carrier,
    created_at: row.created_at.toISOString(),
    ...(row.ended_at !== null && { ended_at: row.ended_at.toISOString() }),
  }
}
