import type { RgbPicture } from '../image/rgb-picture.ts'

/** Judges whether a live person was filmed. Adapters must pass `runLivenessEngineConformance`. */
export interface LivenessEngine extends AsyncDisposable {
  /** Name, version and a digest of the weights; reported in `model_used`. */
  readonly model: string
  /** A person counts as live from score `passed` on, and as a presentation attack below `warning`. */
  readonly thresholds: { readonly passed: number; readonly warning: number }
  /**
   * Returns the confidence that the frames show a live person, 0 to 1, or NaN if it cannot judge them. Any other value is a
   * fault of the engine, and the check does not run.
   */
  judge(frames: readonly RgbPicture[]): Promise<number>
}
