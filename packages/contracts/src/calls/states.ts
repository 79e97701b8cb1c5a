import type { Actor, EventOf, TransitionTable } from '../shared/state-machine.ts'

export const CALL_STATUSES = ['queued', 'in-progress', 'completed', 'failed'] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

/** A call is in progress only once it is answered; an unanswered call goes from queued to failed. */
export const CALL_TRANSITIONS = {
  queued: { answered: 'in-progress', failed: 'failed', interrupted: 'failed', canceled: 'failed' },
  'in-progress': { ended: 'completed', failed: 'failed', interrupted: 'failed' },
  completed: {},
  failed: {},
} as const satisfies TransitionTable<CallStatus>
export type CallEventName = EventOf<typeof CALL_TRANSITIONS>

/** Actor that may cause each event of a call. */
export const CALL_EVENT_ACTORS = {
  answered: 'holder',
  ended: 'holder',
  failed: 'holder',
  interrupted: 'successor',
  canceled: 'person',
} as const satisfies Record<CallEventName, Actor>

/**
 * Why a call failed. `interrupted`: the worker carrying it stopped; the call is never redialled. `do-not-call`: the number was put on a
 * do-not-call list while the call waited. `caller-id`: its `from_caller_id` was removed meanwhile. `number-barred`: no phone line of this
 * server may dial the number any more. `call-cap`: what the operator lets the account use of phone lines in a day was used up. `outside-hours`: it
 * could only be dialled when it was no hour any more at which people are called where the number belongs.
 */
export const CALL_FAILURE_REASONS = [
  'busy',
  'no-answer',
  'rejected',
  'unreachable',
  'canceled',
  'carrier-error',
  'agent-error',
  'interrupted',
  'do-not-call',
  'caller-id',
  'number-barred',
  'call-cap',
  'outside-hours',
] as const
export type CallFailureReason = (typeof CALL_FAILURE_REASONS)[number]

/** Who called whom: `outbound` is a call that an agent placed, `inbound` one that it answered. */
export const CALL_DIRECTIONS = ['outbound', 'inbound'] as const
export type CallDirection = (typeof CALL_DIRECTIONS)[number]

/** Who speaks in a call. */
export const CALL_SPEAKERS = ['agent', 'person'] as const

/**
 * Side that ended an answered call. `callee` is the person on the phone, also of one who called. `duration_limit` also ends a call for which
 * the operator's caps leave no further minute.
 */
export const CALL_ENDED_BY = ['agent', 'callee', 'carrier', 'duration_limit'] as const
export type CallEndedBy = (typeof CALL_ENDED_BY)[number]
