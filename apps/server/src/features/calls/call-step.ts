import {
  CALL_EVENT_ACTORS,
  CALL_TRANSITIONS,
  type CallEndedBy,
  type CallEventName,
  type CallFailureReason,
  type CallStatus,
} from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { type Mover, moveState, type StateMachine } from '@vaani/service-kit/states/move-state'
import { writeEvent } from '../webhooks/port.ts'
import { describeEvent } from './describe-event.ts'
import type { LineEnd } from './rules/line-end.ts'
import type { KeptRecording } from './recording-store.ts'
import type { CallTable } from './tables.ts'
import { insertTurns } from './transcript-store.ts'
import type { CallRow } from './view.ts'

/** Columns that a step of a call may write besides the status. */
export interface CallEnd extends LineEnd {
  farewell?: string
  failureReason?: CallFailureReason
  endedBy?: CallEndedBy
  durationSeconds?: number
  recording?: KeptRecording
}

export type HeldCall = Pick<CallRow, 'call_id' | 'status'>

/** Moves a call to its next state, with its event; undefined if it is not for this mover. */
export type CallStep = (
  tx: Tx,
  step: { call: HeldCall; event: CallEventName; mover: Mover; end?: CallEnd | undefined },
) => Promise<CallRow | undefined>

export function createCallStep(options: { clock: Clock; makeId: IdMaker }): CallStep {
  const machine: StateMachine<CallTable, CallStatus, CallEventName> = {
    table: 'calls',
    idColumn: 'call_id',
    transitions: CALL_TRANSITIONS,
    actors: CALL_EVENT_ACTORS,
    onEntering: (status, now) => (status === 'in-progress' ? { answered_at: now } : { ended_at: now }),
    onMoved: (tx, row) => writeEvent(tx, describeEvent(row, options)),
  }
  return async (tx, { call, event, mover, end = {} }) => {
    const moved = await moveState(tx, machine, {
      id: call.call_id,
      from: call.status,
      event,
      mover,
      now: new Date(options.clock.nowMs()),
      changes: {
        ...(end.failureReason !== undefined && { failure_reason: end.failureReason }),
        ...(end.endedBy !== undefined && { ended_by: end.endedBy }),
        ...(end.durationSeconds !== undefined && { duration_seconds: end.durationSeconds }),
        ...(end.sipStatus !== undefined && { sip_status: end.sipStatus }),
        ...(end.q850Cause !== undefined && { q850_cause: end.q850Cause }),
        ...(event === 'answered' ? { farewell: end.farewell ?? null } : { farewell: null }),
        ...(end.quality && { quality: JSON.stringify(end.quality) }),
        ...(end.recording && {
          recording_key: end.recording.key,
          recording_data_key: end.recording.dataKey,
        }),
      },
    })
    if (moved && end.recording?.turns) await insertTurns(tx, moved.call_id, end.recording.turns)
    return moved
  }
}
