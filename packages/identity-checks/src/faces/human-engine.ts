import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { RgbPicture } from '../image/rgb-picture.ts'
import { createEngineRequire, requirePackage } from '../engine/optional-packages.ts'
import type { DetectedFace, FaceEngine } from './face-engine.ts'

/*
 * Types for the parts of @vladmandic/human and TensorFlow.js used here, because their own need the DOM's.
 */
interface Tensor {
  dispose(): void
}
interface ModelArtifacts {
  modelTopology: unknown
  format: unknown
  generatedBy: unknown
  convertedBy: unknown
  signature: unknown
  userDefinedMetadata: unknown
  weightSpecs: unknown
  weightData: ArrayBuffer
}
interface TensorFlow {
  setBackend(name: string): Promise<boolean>
  ready(): Promise<void>
  tensor4d(data: Int32Array, shape: [number, number, number, number], type: 'int32'): Tensor
  io: { registerLoadRouter(route: (url: string) => { load(): Promise<ModelArtifacts> } | null): void }
}
interface WasmBackend {
  setWasmPaths(directory: string): void
}
interface HumanFace {
  box: [left: number, top: number, width: number, height: number]
  score: number
  embedding?: number[]
}
interface Human {
  load(): Promise<void>
  detect(tensor: Tensor): Promise<{ face: HumanFace[]; error: string | null }>
  match: { similarity(one: number[], other: number[]): number }
}
interface HumanModule {
  Human: new (configuration: object) => Human
}

const WEIGHTS = ['blazeface', 'facemesh', 'faceres'] as const
const LARGEST_FACES = 5

/**
 * Creates a face engine with `@vladmandic/human` on WebAssembly. The operator must install its packages:
 * `@vladmandic/human`, `@tensorflow/tfjs-core`, `-converter` and `-backend-wasm`.
 *
 * Measured similarity: variants of one picture 0.62 (blurred) to 1.00; 780 pairs of other faces 0.23 in the median, 0.54 at
 * the 99th percentile, 0.90 at most. This is not a false match rate, and nothing is known about differences by age, sex or
 * skin colour. The package states neither the licence nor the training data of its weights. Its `live` and `real` scores are
 * not used, because it took a still picture for live.
 *
 * @param options.directory directory where the packages are installed; by default that of the process
 * @throws EngineError `not_installed`, `weights_unreadable`
 */
export async function createHumanFaceEngine(
  options: { directory?: string | undefined } = {},
): Promise<FaceEngine> {
  const require = createEngineRequire(options.directory)
  const tensorFlow = requirePackage<TensorFlow>(require, '@tensorflow/tfjs-core')
  requirePackage<object>(require, '@tensorflow/tfjs-converter')
  const backend = requirePackage<WasmBackend>(require, '@tensorflow/tfjs-backend-wasm')
  const wasmFolder = `${path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}${path.sep}`
  backend.setWasmPaths(wasmFolder)
  // Load it by path, because its `exports` point to a file that does not exist.
  const human = path.dirname(require.resolve('@vladmandic/human'))
  const { Human } = requirePackage<HumanModule>(require, path.join(human, 'human.node-wasm.js'))
  const models = path.join(human, '../models')
  tensorFlow.io.registerLoadRouter((url) =>
    url.startsWith('file://') ? { load: () => readModel(url.slice('file://'.length)) } : null,
  )
  const engine = new Human(configure({ wasmFolder, models }))
  await tensorFlow.setBackend('wasm')
  await tensorFlow.ready()
  await engine.load()
  const digest = createHash('sha256')
  for (const name of WEIGHTS) digest.update(await readFile(path.join(models, `${name}.bin`)))
  const weights = digest.digest('hex').slice(0, 12)
  const { version }: { version: string } = JSON.parse(
    await readFile(path.join(human, '../package.json'), 'utf8'),
  )

  async function findFaces({ data, width, height }: RgbPicture): Promise<readonly DetectedFace[]> {
    const tensor = tensorFlow.tensor4d(Int32Array.from(data), [1, height, width, 3], 'int32')
    try {
      const { face, error } = await engine.detect(tensor)
      if (error !== null) return []
      return face
        .map(({ box: [left, top, boxWidth, boxHeight], score, embedding = [] }) => ({
          box: { left, top, width: boxWidth, height: boxHeight },
          confidence: score,
          embedding: Float32Array.from(embedding),
        }))
        .toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
    } finally {
      tensor.dispose()
    }
  }

  return {
    async detect(pictures) {
      const faces: (readonly DetectedFace[])[] = []
      for (const picture of pictures) faces.push(await findFaces(picture))
      return {
        model: `human/${version}+${weights}`,
        minConfidence: 0.5,
        match: { passed: 0.7, warning: 0.5 },
        faces,
      }
    },
    similarity: (one, other) =>
      one.embedding.length === 0 || other.embedding.length === 0
        ? 0
        : Math.min(1, Math.max(0, engine.match.similarity([...one.embedding], [...other.embedding]))),
    async [Symbol.asyncDispose]() {
      // Its WebAssembly memory is freed when the thread ends.
    },
  }
}

/** Only what finds and describes faces is on. */
function configure({ wasmFolder, models }: { wasmFolder: string; models: string }) {
  const off = { enabled: false }
  return {
    backend: 'wasm',
    wasmPath: wasmFolder,
    wasmPlatformFetch: false,
    modelBasePath: `file://${models}/`,
    cacheSensitivity: 0,
    warmup: 'none',
    debug: false,
    async: false,
    filter: off,
    gesture: off,
    body: off,
    hand: off,
    object: off,
    segmentation: off,
    face: {
      enabled: true,
      detector: { enabled: true, maxDetected: LARGEST_FACES, rotation: false, minConfidence: 0.2 },
      mesh: { enabled: true },
      description: { enabled: true },
      iris: off,
      emotion: off,
      antispoof: off,
      liveness: off,
    },
  }
}

async function readModel(file: string): Promise<ModelArtifacts> {
  const model = JSON.parse(await readFile(file, 'utf8'))
  const [manifest] = model.weightsManifest
  const parts: Buffer[] = []
  for (const name of manifest.paths) parts.push(await readFile(path.join(path.dirname(file), name)))
  const bytes = Uint8Array.from(Buffer.concat(parts))
  return {
    modelTopology: model.modelTopology,
    format: model.format,
    generatedBy: model.generatedBy,
    convertedBy: model.convertedBy,
    // The signature names the outputs; without it the face descriptor is missing.
    signature: model.signature,
    userDefinedMetadata: model.userDefinedMetadata,
    weightSpecs: manifest.weights,
    weightData: bytes.buffer,
  }
}
