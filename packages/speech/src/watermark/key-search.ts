import { chanceOf } from './false-alarm.ts'
import { createSearch, type Fold } from './fold.ts'
import { createPattern } from './pattern.ts'
import { type Reading, readPayload } from './read-payload.ts'
import { OFFSET_COUNT } from './steps.ts'

/** A mark is reported up to this probability of a false alarm for each recording. */
const MAX_FALSE_ALARM_PROBABILITY = 1e-4

/** How a recording may have been changed since it was marked. */
export interface Hypothesis {
  /** How much faster than the marked speech it runs. */
  timeFactor: number
  /** By how much its frequencies rose. */
  frequencyFactor: number
}

export const UNCHANGED: Hypothesis = { timeFactor: 1, frequencyFactor: 1 }

/** Result of the search of one recording for the mark of one key. */
export interface WatermarkDetection {
  /** Whether the mark of this key is there: `falseAlarmProbability` is at most 1e-4. */
  isPresent: boolean
  /** Fit of the best match in standard deviations of chance. About 5.3 is enough at the original speed, 6 at others. */
  score: number
  /** Upper bound on the probability that a recording without a mark of this key fits as well, at any offset and speed. */
  falseAlarmProbability: number
  /** The identifier, if it was surely read; this may take twice the audio that presence takes. */
  payload: number | null
  /** Share of the payload's 132 coded bits whose sign was wrong before the correction, if it was read. */
  codedBitErrorRate: number | null
  /** How much faster than the marked speech the best match runs: 1, or 0.94 to 1.06. */
  speed: number
  /** Whether the pitch was kept when the speed was changed. */
  isPitchKept: boolean
}

interface Candidate {
  hypothesis: Hypothesis
  score: number
  searches: number
  reading: Reading | undefined
}

/** The search of one recording for the mark of one key. */
export interface KeySearch {
  /** Searches a fold for the mark. */
  consider(hypothesis: Hypothesis, fold: Fold): void
  /** Whether the payload was read at the original speed, so that others need not be tried. */
  isReadUnchanged(): boolean
  result(): WatermarkDetection
}

/** Returns a function that starts a search for the mark of a key of 32 bytes. */
export function createKeySearches(key: Uint8Array): () => KeySearch {
  const pattern = createPattern(key)
  const search = createSearch(pattern)
  return () => {
    const none: Candidate = { hypothesis: UNCHANGED, score: 0, searches: 0, reading: undefined }
    const best = { unchanged: { ...none }, changed: { ...none } }
    return {
      consider(hypothesis, fold) {
        const candidate = hypothesis === UNCHANGED ? best.unchanged : best.changed
        const { offset, score } = search(fold)
        candidate.searches++
        if (score <= candidate.score) return
        candidate.hypothesis = hypothesis
        candidate.score = score
        if (falseAlarm(candidate) <= MAX_FALSE_ALARM_PROBABILITY)
          candidate.reading = readPayload({ pattern, fold, offset }) ?? candidate.reading
      },
      isReadUnchanged: () => best.unchanged.reading !== undefined,
      result() {
        const isChanged = falseAlarm(best.changed) < falseAlarm(best.unchanged)
        return describe(isChanged ? best.changed : best.unchanged)
      },
    }
  }
}

/** Half of the probability of a false alarm is for the original speed, and half is for all others, for every offset searched. */
const falseAlarm = ({ score, searches }: Candidate): number =>
  score === 0 ? 1 : Math.min(1, 2 * OFFSET_COUNT * searches * chanceOf(score))

function describe(candidate: Candidate): WatermarkDetection {
  const { hypothesis, score, reading } = candidate
  const falseAlarmProbability = falseAlarm(candidate)
  const isPresent = falseAlarmProbability <= MAX_FALSE_ALARM_PROBABILITY
  const sure = isPresent ? reading : undefined
  return {
    isPresent,
    score,
    falseAlarmProbability,
    payload: sure?.payload ?? null,
    codedBitErrorRate: sure?.codedBitErrorRate ?? null,
    speed: hypothesis.timeFactor,
    isPitchKept: hypothesis.timeFactor !== hypothesis.frequencyFactor,
  }
}
