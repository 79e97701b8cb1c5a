import { CONDITION_NAMES } from '@vaani/contracts/migration'
import { bucketOf } from '../../rules/evidence/latency-histogram.ts'
import type { EndedPair } from './port.ts'

/**
 * What pairs are counted by: conditions of which they are a trial or an event, the endings of both sides, the buckets of their
 * latencies, and their outcome.
 */
export type CountSubject = 'trial' | 'event' | 'endings' | 'answer' | 'decision' | 'outcome'

export interface Count {
  readonly subject: CountSubject
  readonly value: string
  readonly otherValue: string
}

/**
 * Returns the rows that a pair adds one to, in the order of their key. All writers lock rows in this order, so none deadlocks.
 *
 * @param primary whose noise a pair of noise shows
 */
export function countsOf(pair: EndedPair, primary: string): Count[] {
  const counts = new Map<string, Count>()
  const count = (subject: CountSubject, value: string, otherValue = ''): void =>
    void counts.set(`${subject} ${value} ${otherValue}`, { subject, value, otherValue })

  count('outcome', pair.outcome)
  const whose = pair.kind === 'noise' ? primary : ''
  for (const condition of CONDITION_NAMES) {
    const hasHappened = pair.judged?.trials[condition]
    if (hasHappened === undefined) continue
    count('trial', condition, whose)
    if (hasHappened) count('event', condition, whose)
  }
  if (pair.v1 !== null && pair.v2 !== null) count('endings', pair.v1, pair.v2)
  for (const { version, measure, ms } of pair.latencies) count(measure, version, String(bucketOf(ms)))
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
