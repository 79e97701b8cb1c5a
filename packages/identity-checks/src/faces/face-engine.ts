import type { Box, RgbPicture } from '../image/rgb-picture.ts'

/** A detected face. */
export interface DetectedFace {
  readonly box: Box
  /** 0 to 1. */
  readonly confidence: number
  /** Vector for comparing faces; its length is fixed per engine. Empty if the engine only counts faces. */
  readonly embedding: Float32Array
}

/** The faces of several pictures, and the limits to judge them by. */
export interface FaceDetection {
  /** Name, version and digests of the weights of the model that detected; reported in `model_used`. */
  readonly model: string
  /** Detections below this confidence do not count as faces. */
  readonly minConfidence: number
  /** Faces match from similarity `passed` on, and do not match below `warning`. */
  readonly match: { readonly passed: number; readonly warning: number }
  /** For each picture its faces, the largest first. */
  readonly faces: readonly (readonly DetectedFace[])[]
}

/**
 * Detects and compares faces. Adapters must pass `runFaceEngineConformance`.
 *
 * @example
 * const engine: FaceEngine = {
 *   detect: async (pictures) => ({
 *     model: 'mine/1',
 *     minConfidence: 0.8,
 *     match: { passed: 0.5, warning: 0.3 },
 *     faces: await Promise.all(pictures.map((picture) => model.find(picture))),
 *   }),
 *   similarity: (one, other) => cosineSimilarity(one.embedding, other.embedding),
 *   [Symbol.asyncDispose]: () => model.close(),
 * }
 */
export interface FaceEngine<Picture = RgbPicture> extends AsyncDisposable {
  /** Detects the faces of all pictures that are to be compared. No content of a picture makes it reject. */
  detect(pictures: readonly Picture[]): Promise<FaceDetection>
  /** Returns a symmetric similarity from 0 to 1; 1 for a face and itself. Any other value is a fault of the engine. */
  similarity(one: DetectedFace, other: DetectedFace): number
}
