import { STAGE_PLANS } from '@vaani/contracts/migration'
import { isSampled } from '../../rules/sampling/sample.ts'
import type { Watcher } from '../exchange.ts'
import { copySubmission, type SamplingTools } from './copy-submission.ts'
import { boundaryOf, readEarlySubject } from './read-early-subject.ts'

/**
 * Follows a submission of version 1 until it shows whether its subject is sampled. Most are not, and cost next to nothing; the
 * others are copied into the spool.
 *
 * @param contentType of the form, with its boundary
 * @param contentLength null if it is not known
 * @returns null if there is nothing to copy
 */
export function watchSubmission(
  tools: SamplingTools,
  { contentType, contentLength }: { contentType: string; contentLength: number | null },
): Watcher | null {
  const flag = tools.flag()
  const { shadowShare } = STAGE_PLANS[flag.stage]
  const boundary = boundaryOf(contentType)
  if (flag.isKilled || shadowShare === 0 || boundary === null) return null
  const receivedAtMs = tools.clock.nowMs()
  /** Until it shows. */
  let beginning: Buffer[] = []
  let isOut = false
  let copier: Watcher | null = null

  function copy(subject: string | null): Watcher {
    const started = copySubmission(tools, { flag, contentType, contentLength, receivedAtMs, subject })
    for (const chunk of beginning) started.onRequestData(chunk)
    beginning = []
    return (copier = started)
  }
  function leaveOut(): void {
    isOut = true
    beginning = []
  }

  return {
    onRequestData(chunk) {
      if (isOut) return
      if (copier !== null) return copier.onRequestData(chunk)
      beginning.push(chunk)
      const early = readEarlySubject(boundary, beginning)
      if (early === 'unfinished') return
      if (early === 'unknown') copy(null)
      else if (isSampled(early.externalId, shadowShare, tools.key)) copy(early.externalId)
      else leaveOut()
    },
    onRequestEnd() {
      if (!isOut) (copier ?? copy(null)).onRequestEnd()
    },
    onAnswer(status) {
      // A deployment that answers before the submission is whole has refused it unread.
      if (copier === null) leaveOut()
      else copier.onAnswer(status)
    },
    onAnswerData: (chunk) => copier?.onAnswerData(chunk),
    onEnd: (outcome) => copier?.onEnd(outcome),
  }
}
