import type { Box, RgbPicture } from '../image/rgb-picture.ts'

/** A detected face. */
export interface DetectedFace {
  readonly box: Box
  /** 0 to 1. */
  readonly confidence: number
  /** Vector for comparing faces; its length is fixed per engine. Empty if the engine only counts faces. */
  readonly embedding: Float32Array
}

/** Detects and compares faces. Adapters must pass `runFaceEngineConformance`. */
export interface FaceEngine extends AsyncDisposable {
  /** Name, version and digests of the weights; reported in `model_used`. */
  readonly model: string
  /** Detections below this confidence do not count as faces. */
  readonly minConfidence: number
  /** Faces match from similarity `passed` on, and do not match below `warning`. */
  readonly match: { readonly passed: number; readonly warning: number }
  /** Returns the faces of a picture, the largest first. No content of a picture makes it throw. */
  detect(picture: RgbPicture): Promise<readonly DetectedFace[]>
  /** Returns a symmetric similarity from 0 to 1; 1 for a face and itself. Any other value is a fault of the engine. */
  similarity(one: DetectedFace, other: DetectedFace): number
}
