import { type CheckResult, notRun } from '../check.ts'
import type { RgbPicture } from '../image/rgb-picture.ts'
import { requireScore } from '../score.ts'
import type { LivenessEngine } from './liveness-engine.ts'

/** Checks with the operator's engine whether a live person was filmed. There is no built-in engine. */
export async function checkLiveness(
  engine: LivenessEngine | null,
  frames: readonly RgbPicture[] | null,
): Promise<CheckResult> {
  if (engine === null) return notRun('liveness', 'no_engine')
  if (frames === null) return notRun('liveness', 'no_frame_extractor')
  if (frames.length === 0) return notRun('liveness', 'too_few_frames')
  const judged = await engine.judge(frames)
  if (Number.isNaN(judged)) return notRun('liveness', 'liveness_unsure')
  const score = requireScore(judged, engine.model)
  const { passed, warning } = engine.thresholds
  const outcome = score >= passed ? 'passed' : score >= warning ? 'warning' : 'failed'
  return {
    check: 'liveness',
    outcome,
    code: { passed: 'live', warning: 'liveness_unsure', failed: 'not_live' }[outcome],
    score,
    evidence: { frames: frames.length, passed_from: passed, failed_below: warning },
    model: engine.model,
  }
}
