import type { MigrationVerdict } from '@vaani/contracts/migration'
import type { EvidencePort } from '../evidence/port.ts'

/** Judging reads some hundred counters and takes milliseconds. */
const FRESH_MS = 1000

/** Returns the evidence of an epoch, judged at most a second ago, and once for concurrent callers. */
export function cacheVerdicts(evidence: EvidencePort): (epoch: number) => Promise<MigrationVerdict> {
  let kept: { epoch: number; atMs: number; verdict: Promise<MigrationVerdict> } | undefined
  return async (epoch) => {
    if (kept?.epoch !== epoch || performance.now() - kept.atMs >= FRESH_MS) {
      const judged = { epoch, atMs: performance.now(), verdict: evidence.judge(epoch) }
      kept = judged
      // A failure is no answer to the next caller.
      judged.verdict.catch(() => {
        if (kept === judged) kept = undefined
      })
    }
    return kept.verdict
  }
}
