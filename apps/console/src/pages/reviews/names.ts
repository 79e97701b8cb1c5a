import type { Review, ReviewClaim } from '@vaani/client'
import type { Session } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { words } from './words.ts'

type By = Pick<ReviewClaim, 'key_id' | 'reviewer'>

/**
 * Whether the person of the session did something. Only they act by the key of a member, whatever their name was then; a name
 * that a back office gave with any other key is somebody else's.
 */
export const isOwn = ({ key_id, reviewer }: By, session: Session): boolean =>
  key_id === session.key_id && (session.member !== null || reviewer === null)

/** Who did something: a member, the name that a back office gave, or the end of the id of the key. */
export const nameOf = (by: By, session: Session): string =>
  isOwn(by, session) ? t.reviews.you : (by.reviewer ?? `key_…${by.key_id.slice(-6)}`)

const CHECKS: Readonly<Record<string, string>> = t.reviews.checkNames

export const checkName = (check: string): string =>
  (Object.hasOwn(CHECKS, check) ? CHECKS[check] : undefined) ?? words(check)

/** Why a case waits: what was found first, then what could not be checked. */
export function titleOf({ verification: { reasons = [] } }: Review): string {
  const found = reasons.filter(({ outcome }) => outcome !== 'not_run').map(({ code }) => words(code))
  const unchecked = reasons
    .filter(({ outcome }) => outcome === 'not_run')
    .map(({ check }) => checkName(check))
  if (found.length === 0 && unchecked.length === 0) return t.reviews.case
  return found.join(', ') || t.reviews.unchecked(unchecked.join(', '))
}
