import type { Box, RgbPicture } from '../image/rgb-picture.ts'

/** A face that was found. */
export interface DetectedFace {
  readonly box: Box
  /** 0 to 1. */
  readonly confidence: number
  /** What likeness is measured by; of one length for an engine. Empty where faces are only counted. */
  readonly embedding: Float32Array
}

/** Finds faces and tells how like they are. Adapters keep `runFaceEngineConformance`. */
export interface FaceEngine extends AsyncDisposable {
  /** Name, version and a digest of the weights: what `model_used` tells. */
  readonly model: string
  /** Faces below this confidence are none. */
  readonly minConfidence: number
  /** Likeness from which two faces are taken for one person's, and below which they are not. */
  readonly match: { readonly passed: number; readonly warning: number }
  /** The faces of a picture, the largest first. Never throws over what a picture shows. */
  detect(picture: RgbPicture): Promise<readonly DetectedFace[]>
  /** 0 to 1, the same both ways, 1 for a face and itself. */
  similarity(one: DetectedFace, other: DetectedFace): number
}
