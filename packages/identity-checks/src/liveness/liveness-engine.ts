import type { RgbPicture } from '../image/rgb-picture.ts'

/** Tells whether a live person was filmed. Adapters keep `runLivenessEngineConformance`. */
export interface LivenessEngine extends AsyncDisposable {
  /** Name, version and a digest of the weights: what `model_used` tells. */
  readonly model: string
  /** Scores from which a person is taken for live, and below which for a presentation. */
  readonly thresholds: { readonly passed: number; readonly warning: number }
  /** How surely the frames show a live person, 0 to 1; NaN where they do not let it tell. */
  judge(frames: readonly RgbPicture[]): Promise<number>
}
