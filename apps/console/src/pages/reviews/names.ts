import type { Review, ReviewClaim } from '@vaani/client'
import { keysOf } from '../../parts/keys-of.ts'
import { shortId } from '../../parts/short-id.ts'
import { nameIn } from '../../parts/name-in.ts'
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
  isOwn(by, session) ? t.reviews.you : (by.reviewer ?? shortId(by.key_id))

const { checkNames, reasonTexts, artifacts, problems } = t.reviews
const { findings, measures } = t.codes

export const checkName = (check: string): string => nameIn(checkNames, check) ?? words(check)
export const measureName = (measure: string): string => nameIn(measures, measure) ?? words(measure)

/** What a check found, why people declined, or what a reviewer asked for again. */
export const findingName = (code: string): string =>
  nameIn(findings, code) ?? nameIn(reasonTexts, code) ?? askedName(code) ?? words(code)

/** Codes of what is asked for again name it and its problem, as in `back_image_glare`. */
function askedName(code: string): string | undefined {
  const artifact = keysOf(artifacts).find((one) => code.startsWith(`${one}_`))
  const problem = artifact && nameIn(problems, code.slice(artifact.length + 1))
  return artifact && problem && `${artifacts[artifact]}: ${problem}`
}

/** Why a case waits: what was found first, then what could not be checked. */
export function titleOf({ verification: { reasons = [] } }: Review): string {
  const found = reasons.filter(({ outcome }) => outcome !== 'not_run').map(({ code }) => findingName(code))
  const unchecked = reasons
    .filter(({ outcome }) => outcome === 'not_run')
    .map(({ check }) => checkName(check))
  if (found.length === 0 && unchecked.length === 0) return t.reviews.case
  return found.join(', ') || t.reviews.unchecked(unchecked.join(', '))
}
