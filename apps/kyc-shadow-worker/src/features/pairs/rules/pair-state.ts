import type { Ending, KycVersion, PairKind } from '@vaani/contracts/migration'
import type { SpooledAnswer } from '../../../spool/entry.ts'
import { judgeStatus } from './judge-status.ts'

/** Why the second submission of a pair was never made, or shows nothing. */
const NOT_SENT_REASONS = [
  // The budget of the day is used up.
  'over_budget',
  // It could not be sent before its media expired.
  'too_old',
  // Its media is gone from the spool, or cannot be decrypted.
  'media_lost',
  // It would go to the primary, for which there is no key.
  'no_key',
  // The form is not well-formed, so there is nothing to convert.
  'bad_form',
  // The answer to the first submission was about the caller, such as a wrong key, so the second would answer another question.
  'not_comparable',
] as const
export type NotSentReason = (typeof NOT_SENT_REASONS)[number]

/** What is known of a submission at one deployment. Times are in milliseconds since the epoch. */
export interface SideState {
  readonly sentBy: 'caller' | 'shadow'
  /** Attempts that failed, of a submission by the shadow. */
  readonly faults: number
  /** Earliest time of the next request about it. */
  readonly notBeforeMs: number
  readonly answeredAtMs: number | null
  readonly answerMs: number | null
  readonly verificationId: string | null
  readonly errorCode: string | null
  readonly ending: Ending | null
  readonly reasonCodes: readonly string[]
  /** When the worker learned the decision. */
  readonly decidedAtMs: number | null
  readonly decisionMs: number | null
  /** Reads of its status so far. */
  readonly looks: number
  /** Reads in a row that found no such verification. */
  readonly misses: number
  /** Attempts to read it back, after the decision. */
  readonly readBacks: number
  readonly isReadBack: boolean
  readonly isIdConfirmed: boolean | null
  readonly isCallbackDue: boolean
  readonly hasCalledBack: boolean
}

/** Everything that decides what happens to a pair next. */
export interface PairState {
  readonly kind: PairKind
  readonly receivedAtMs: number
  readonly notSent: NotSentReason | null
  readonly sides: Readonly<Record<KycVersion, SideState>>
}

/** Returns the pair with one side changed. */
export const withSide = <Pair extends PairState>(
  pair: Pair,
  version: KycVersion,
  changes: Partial<SideState>,
): Pair => ({
  ...pair,
  sides: { ...pair.sides, [version]: { ...pair.sides[version], ...changes } },
})

const newSide = (sentBy: SideState['sentBy'], nowMs: number): SideState => ({
  sentBy,
  faults: 0,
  notBeforeMs: nowMs,
  answeredAtMs: null,
  answerMs: null,
  verificationId: null,
  errorCode: null,
  ending: null,
  reasonCodes: [],
  decidedAtMs: null,
  decisionMs: null,
  looks: 0,
  misses: 0,
  readBacks: 0,
  isReadBack: false,
  isIdConfirmed: null,
  isCallbackDue: false,
  hasCalledBack: false,
})

/** Null if no callback was due: none was asked for, or there is no decision, or it waits for a person's. */
export function calledBack({ isCallbackDue, hasCalledBack, ending }: SideState): boolean | null {
  const isFinal = ending === 'approved' || ending === 'declined'
  return isCallbackDue && (isFinal || hasCalledBack) ? hasCalledBack : null
}

/** Makes the state of a pair from its entry in the spool. */
export function startPair(entry: {
  kind: PairKind
  answeredBy: KycVersion
  receivedAtMs: number
  answer: SpooledAnswer | null
}): PairState {
  const { kind, answeredBy, receivedAtMs, answer } = entry
  const shadow = newSide('shadow', receivedAtMs)
  const sides = { v1: shadow, v2: shadow }
  const pair: PairState = { kind, receivedAtMs, notSent: null, sides }
  if (answer === null) return pair
  const judged = judgeStatus(answer.status)
  const known = {
    ...newSide('caller', answer.answeredAtMs),
    answeredAtMs: answer.answeredAtMs,
    answerMs: answer.answerMs,
  }
  switch (judged) {
    case 'accepted':
      // An answer without an id is none.
      return withSide(
        pair,
        answeredBy,
        answer.verificationId === null
          ? { ...known, ending: 'failed' }
          : { ...known, verificationId: answer.verificationId },
      )
    case 'refused':
      return withSide(pair, answeredBy, { ...known, ending: 'refused', errorCode: answer.errorCode })
    case 'failed':
    case 'unavailable':
      return withSide(pair, answeredBy, { ...known, ending: 'failed' })
    case 'limited':
    case 'not_allowed':
      return { ...withSide(pair, answeredBy, known), notSent: 'not_comparable' }
  }
}
