import { createHumanFaceEngine } from './faces/human-engine.ts'
import type { FaceEngine } from './faces/face-engine.ts'
import { createOnnxFaceEngine } from './faces/onnx-face-engine.ts'
import type { LivenessEngine } from './liveness/liveness-engine.ts'
import { createOnnxLivenessEngine } from './liveness/onnx-liveness-engine.ts'

/** The engines that an operator sets; what is left out does not run. */
export interface EngineSettings {
  /** `human`, or the path of a manifest of ONNX models. */
  readonly face?: string | undefined
  /** The path of a manifest of an ONNX model. */
  readonly liveness?: string | undefined
  /** Where their packages are installed; the process's by default. */
  readonly directory?: string | undefined
}

export interface Engines {
  readonly face: FaceEngine | null
  readonly liveness: LivenessEngine | null
}

/**
 * Makes the engines.
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
