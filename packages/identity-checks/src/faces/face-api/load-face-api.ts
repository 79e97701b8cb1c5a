import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { compileFunction } from 'node:vm'
import { EngineError } from '../../engine/engine-error.ts'

/*
 * Types for the parts of @vladmandic/face-api and TensorFlow.js used here, because their own need the DOM's.
 */
export interface Tensor {
  dispose(): void
}
type Weights = Readonly<Record<string, Tensor>>
interface Network {
  loadFromWeightMap(weights: Weights): void
}
interface Point {
  readonly x: number
  readonly y: number
}
interface Detection {
  readonly score: number
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}
interface Detector extends Network {
  locateFaces(picture: Tensor, options: object): Promise<readonly Detection[]>
}
interface LandmarkFinder extends Network {
  detectLandmarks(face: Tensor): Promise<{ readonly positions: readonly Point[] }>
}
interface Recognizer extends Network {
  computeFaceDescriptor(face: Tensor): Promise<Float32Array>
}
interface FaceApi {
  TinyFaceDetector: new () => Detector
  TinyFaceDetectorOptions: new (options: { inputSize: number; scoreThreshold: number }) => object
  FaceLandmark68Net: new () => LandmarkFinder
  FaceRecognitionNet: new () => Recognizer
}
/** An operation of TensorFlow.js; the first argument is a tensor, or a list of tensors. */
type Operation = (first: unknown, ...rest: readonly unknown[]) => Tensor
interface TensorFlow {
  Tensor: { prototype: object }
  reshape: Operation
  cast: Operation
  concat: Operation
  stack: Operation
  setBackend(name: string): Promise<boolean>
  ready(): Promise<void>
  tensor3d(data: Int32Array, shape: readonly [number, number, number], type: 'int32'): Tensor
  io: { decodeWeights(data: ArrayBuffer, specs: readonly object[]): Weights }
}
interface WasmBackend {
  setWasmPaths(directory: string): void
}
type Manifest = readonly { readonly paths: readonly string[]; readonly weights: readonly object[] }[]

const MODELS = ['tiny_face_detector_model', 'face_landmark_68_model', 'face_recognition_model'] as const
type ModelName = (typeof MODELS)[number]

/** The networks of face-api with their weights, on WebAssembly. */
export interface FaceNetworks {
  /** Version of the package. */
  readonly version: string
  /** Bytes of all weights, for a digest. */
  readonly weights: readonly Buffer[]
  readonly detector: Detector
  readonly landmarks: LandmarkFinder
  readonly recognizer: Recognizer
  /** @param inputSize side of the square to which the picture is scaled, a multiple of 32 */
  detectorOptions(inputSize: number, minScore: number): object
  /** @param data three values from 0 to 255 for each pixel */
  toTensor(data: Uint8Array, width: number, height: number): Tensor
}

let loaded: Promise<FaceNetworks> | undefined

/**
 * Loads the networks once, because the engines of a process share them.
 *
 * @throws EngineError `module_unusable`
 */
export function loadFaceApi(): Promise<FaceNetworks> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<FaceNetworks> {
  const require = createRequire(import.meta.url)
  const tensorFlow: TensorFlow = require('@tensorflow/tfjs-core')
  const backend: WasmBackend = require('@tensorflow/tfjs-backend-wasm')
  addMethods(tensorFlow)
  const root = path.dirname(require.resolve('@vladmandic/face-api/package.json'))
  const faceApi = await runPackage(path.join(root, 'dist/face-api.node-wasm.js'), {
    '@tensorflow/tfjs': tensorFlow,
    '@tensorflow/tfjs-backend-wasm': backend,
    fs: {},
  })
  backend.setWasmPaths(`${path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}${path.sep}`)
  await tensorFlow.setBackend('wasm')
  await tensorFlow.ready()

  const bytes = new Map<ModelName, Buffer>()
  async function loadNetwork<One extends Network>(network: One, name: ModelName): Promise<One> {
    const folder = path.join(root, 'model')
    const manifest: Manifest = JSON.parse(
      await readFile(path.join(folder, `${name}-weights_manifest.json`), 'utf8'),
    )
    const parts: Buffer[] = []
    for (const file of manifest.flatMap(({ paths }) => paths))
      parts.push(await readFile(path.join(folder, file)))
    const all = Buffer.concat(parts)
    bytes.set(name, all)
    const specs = manifest.flatMap(({ weights }) => weights)
    network.loadFromWeightMap(tensorFlow.io.decodeWeights(Uint8Array.from(all).buffer, specs))
    return network
  }
  const { version }: { version: string } = require('@vladmandic/face-api/package.json')
  return {
    version,
    detector: await loadNetwork(new faceApi.TinyFaceDetector(), 'tiny_face_detector_model'),
    landmarks: await loadNetwork(new faceApi.FaceLandmark68Net(), 'face_landmark_68_model'),
    recognizer: await loadNetwork(new faceApi.FaceRecognitionNet(), 'face_recognition_model'),
    weights: MODELS.flatMap((name) => bytes.get(name) ?? []),
    detectorOptions: (inputSize, scoreThreshold) =>
      new faceApi.TinyFaceDetectorOptions({ inputSize, scoreThreshold }),
    toTensor: (data, width, height) => tensorFlow.tensor3d(new Int32Array(data), [height, width, 3], 'int32'),
  }
}

/**
 * Runs the file of a package with the modules that it may require. face-api requires `@tensorflow/tfjs`, which it does not declare
 * and which brings backends and layers for 200 MB; it needs the core only.
 */
async function runPackage(file: string, modules: Readonly<Record<string, object>>): Promise<FaceApi> {
  const module: { exports: unknown } = { exports: {} }
  const run = compileFunction(await readFile(file, 'utf8'), ['require', 'module', 'exports'], {
    filename: file,
  })
  run((name: string) => modules[name], module, module.exports)
  if (isFaceApi(module.exports)) return module.exports
  throw new EngineError('module_unusable', 'This version of @vladmandic/face-api lacks the networks')
}

const isFaceApi = (value: unknown): value is FaceApi =>
  typeof value === 'object' && value !== null && 'TinyFaceDetector' in value

/** Adds to tensors the methods that `@tensorflow/tfjs` has and its core lacks: each is the operation of the same name. */
function addMethods(tensorFlow: TensorFlow): void {
  const { prototype } = tensorFlow.Tensor
  const define = (name: string, value: (this: Tensor, ...values: unknown[]) => Tensor): void => {
    if (!(name in prototype)) Object.defineProperty(prototype, name, { value })
  }
  const joined = (operation: Operation) =>
    function (this: Tensor, others: unknown, axis: unknown) {
      return operation([this, ...(Array.isArray(others) ? others : [others])], axis)
    }
  define('concat', joined(tensorFlow.concat))
  define('stack', joined(tensorFlow.stack))
  define('toInt', function () {
    return tensorFlow.cast(this, 'int32')
  })
  define('as1D', function () {
    return tensorFlow.reshape(this, [-1])
  })
  for (const name of ['as2D', 'as3D', 'as4D'])
    define(name, function (...shape) {
      return tensorFlow.reshape(this, shape)
    })
  for (const [name, operation] of Object.entries(tensorFlow))
    if (typeof operation === 'function')
      define(name, function (...rest) {
        return operation(this, ...rest)
      })
}
