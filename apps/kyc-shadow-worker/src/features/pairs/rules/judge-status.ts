/**
 * What the status of an answer to a submission says.
 *
 * - `refused`: about what was submitted
 * - `not_allowed`: about the key or the account that submitted it
 * - `limited`: too early or too often; the same request may succeed later
 * - `unavailable`: the deployment asks to come again
 * - `failed`: any other error of the deployment, or an answer that the contract does not have
 */
export type StatusMeaning = 'accepted' | 'refused' | 'not_allowed' | 'limited' | 'unavailable' | 'failed'

const ABOUT_THE_SUBMISSION: ReadonlySet<number> = new Set([400, 413, 415, 422])
const ABOUT_THE_KEY: ReadonlySet<number> = new Set([401, 402, 403])
/** 409: another request with the same idempotency key is still running. */
const LIMITED: ReadonlySet<number> = new Set([408, 409, 425, 429])

export function judgeStatus(status: number): StatusMeaning {
  if (status >= 200 && status < 300) return 'accepted'
  if (ABOUT_THE_SUBMISSION.has(status)) return 'refused'
  if (LIMITED.has(status)) return 'limited'
  if (status === 503) return 'unavailable'
  return ABOUT_THE_KEY.has(status) ? 'not_allowed' : 'failed'
}
