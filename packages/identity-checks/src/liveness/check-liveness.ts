import { type CheckResult, notRun, unsure } from '../check.ts'
import { requireJudgement } from '../engine-answers.ts'
import { requireScore } from '../score.ts'
import type { Frame } from '../video/frame.ts'
import type { LivenessEngine } from './liveness-engine.ts'

/**
 * Checks with the engine that the operator names whether a live person was filmed. None is on by itself.
 *
 * @throws EngineError if the engine is at fault
 */
export async function checkLiveness<Picture>(
  engine: LivenessEngine<Picture> | null,
  frames: readonly Frame<Picture>[] | null,
): Promise<CheckResult> {
  if (engine === null) return notRun('liveness', 'no_engine')
  if (frames === null) return unsure('liveness', 'no_frame_extractor')
  if (frames.length === 0) return unsure('liveness', 'too_few_frames')
  const judgement = requireJudgement(await engine.judge(frames))
  if (judgement.score === null) return unsure('liveness', 'liveness_unsure')
  const score = requireScore(judgement.score, judgement.model)
  const { passed, warning } = judgement.thresholds
  const outcome = score >= passed ? 'passed' : score >= warning ? 'warning' : 'failed'
  return {
    check: 'liveness',
    outcome,
    code: { passed: 'live', warning: 'liveness_unsure', failed: 'not_live' }[outcome],
    score,
    evidence: { frames: frames.length, passed_from: passed, failed_below: warning },
    model: judgement.model,
  }
}
