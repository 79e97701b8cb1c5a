import { createHumanFaceEngine } from './faces/human-engine.ts'
import type { FaceEngine } from './faces/face-engine.ts'
import { createOnnxFaceEngine } from './faces/onnx-face-engine.ts'
import type { LivenessEngine } from './liveness/liveness-engine.ts'
import { createOnnxLivenessEngine } from './liveness/onnx-liveness-engine.ts'

/** Engines set by the operator. Checks of an omitted engine do not run. */
export interface EngineSettings {
  /** `human`, or the path of a manifest of ONNX models. */
  readonly face?: string | undefined
  /** Path of a manifest of an ONNX model. */
  readonly liveness?: string | undefined
  /** Directory where their packages are installed; by default that of the process. */
  readonly directory?: string | undefined
}

export interface Engines {
  readonly face: FaceEngine | null
  readonly liveness: LivenessEngine | null
}

/**
 * Creates the engines.
 *
 * @throws EngineError
 */
export async function loadEngines(settings: EngineSettings): Promise<Engines> {
  const { face, liveness, directory } = settings
  return {
    face:
      face === undefined
        ? null
        : face === 'human'
          ? await createHumanFaceEngine({ directory })
          : await createOnnxFaceEngine({ manifest: face, directory }),
    liveness:
      liveness === undefined ? null : await createOnnxLivenessEngine({ manifest: liveness, directory }),
  }
}
