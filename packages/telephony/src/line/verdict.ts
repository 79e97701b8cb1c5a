import type { CallEndedBy, CallOutcome } from '../carrier.ts'

/** Why a call was not answered, or how it ended. */
export interface Verdict {
  readonly outcome: CallOutcome
  readonly endedBy: CallEndedBy
}

const BUSY: Verdict = { outcome: 'busy', endedBy: 'callee' }
const REJECTED: Verdict = { outcome: 'rejected', endedBy: 'callee' }
const NO_ANSWER: Verdict = { outcome: 'no_answer', endedBy: 'callee' }
const UNREACHABLE: Verdict = { outcome: 'unreachable', endedBy: 'carrier' }
const CARRIER_ERROR: Verdict = { outcome: 'carrier_error', endedBy: 'carrier' }
const COMPLETED: Verdict = { outcome: 'completed', endedBy: 'callee' }

/** Final statuses that say why by themselves (RFC 3261, section 21; 607: RFC 8197; 608: RFC 8688). */
const STATUSES: ReadonlyMap<number, Verdict> = new Map([
  [404, UNREACHABLE],
  [410, UNREACHABLE],
  [484, UNREACHABLE],
  [486, BUSY],
  [487, NO_ANSWER],
  [600, BUSY],
  [603, REJECTED],
  [604, UNREACHABLE],
  [607, REJECTED],
  [608, REJECTED],
])

/** Causes of ITU-T Q.850 that say more than a general status. */
const CAUSES: ReadonlyMap<number, Verdict> = new Map([
  [1, UNREACHABLE],
  [17, BUSY],
  [18, NO_ANSWER],
  [19, NO_ANSWER],
  [20, UNREACHABLE],
  [21, REJECTED],
  [22, UNREACHABLE],
  [28, UNREACHABLE],
  [34, CARRIER_ERROR],
])

/**
 * Returns what the final response to an INVITE says. A status that names the reason wins over the cause; 408 and 480 are no answer,
 * and any other status is an error of the carrier, unless the cause of the telephone network says more.
 *
 * @param status 300 to 699
 * @param q850Cause cause in the Reason header (RFC 3326)
 */
export function verdictOfRefusal(status: number, q850Cause: number | undefined): Verdict {
  const cause = q850Cause === undefined ? undefined : CAUSES.get(q850Cause)
  const reason = STATUSES.get(status) ?? cause
  if (reason) return reason
  // We follow no redirection: its target is not what the operator allowed.
  if (status < 400) return UNREACHABLE
  return status === 408 || status === 480 ? NO_ANSWER : CARRIER_ERROR
}

/** Causes from 34 to 47: the network lacks resources, or failed (ITU-T Q.850). 27 is a destination out of order. */
const isNetworkFailure = (cause: number): boolean => cause === 27 || (cause >= 34 && cause <= 47)

/** Returns how an answered call ended that the far end hung up. @param q850Cause cause in the Reason header of its BYE */
export const verdictOfBye = (q850Cause: number | undefined): Verdict =>
  q850Cause !== undefined && isNetworkFailure(q850Cause) ? CARRIER_ERROR : COMPLETED

/** The trunk did not respond, which says nothing of the person. */
export const NO_RESPONSE: Verdict = UNREACHABLE
