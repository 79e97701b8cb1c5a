import type { RgbPicture } from '../image/rgb-picture.ts'
import type { Frame } from '../video/frame.ts'

/** The score of a video, and the limits to judge it by. */
export interface LivenessJudgement {
  /** Name, version and a digest of the weights of the model that judged; reported in `model_used`. */
  readonly model: string
  /** Confidence that the frames show a live person, 0 to 1; null if the engine cannot judge them. */
  readonly score: number | null
  /** A person counts as live from score `passed` on, and as a presentation attack below `warning`. */
  readonly thresholds: { readonly passed: number; readonly warning: number }
}

/**
 * Judges whether a live person was filmed. Adapters must pass `runLivenessEngineConformance`.
 *
 * @example
 * const engine: LivenessEngine = {
 *   judge: async (frames) => ({
 *     model: 'mine/1',
 *     score: frames.length === 0 ? null : await model.run(frames),
 *     thresholds: { passed: 0.9, warning: 0.6 },
 *   }),
 *   [Symbol.asyncDispose]: () => model.close(),
 * }
 */
export interface LivenessEngine<Picture = RgbPicture> extends AsyncDisposable {
  /**
   * Judges the frames of one video in the order of their times. The score of no frames is null. An answer of another form is
   * a fault of the engine, and the check does not run.
   */
  judge(frames: readonly Frame<Picture>[]): Promise<LivenessJudgement>
}
