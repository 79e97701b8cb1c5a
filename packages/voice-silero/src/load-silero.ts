import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { env, InferenceSession } from 'onnxruntime-web/wasm'
import { createSileroDetector } from './silero-detector.ts'
import type { SileroModel } from './types.ts'

/** Silero VAD 6.0, for 8 and 16 kHz. */
const MODEL_FILE = '@ricky0123/vad-web/dist/silero_vad_v6.onnx'
const PROGRAM_FILE = 'onnxruntime-web/ort-wasm-simd-threaded.wasm'
const MODEL_SHA256 = '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3'

/**
 * Loads the model from the installed packages; nothing is downloaded. It runs on the thread of the caller. The settings of
 * `onnxruntime-web` apply to the whole process: this sets one thread, and its program as bytes.
 *
 * @throws Error if the installed weights are not those of Silero VAD 6.0
 * @example
 * const model = await loadSilero()
 * const detector = model.createDetector({ sampleRateHz: 16_000 })
 * console.log(await detector.push(new Int16Array(16_000))) // []
 */
export async function loadSilero(): Promise<SileroModel> {
  const [program, weights] = await Promise.all([readInstalled(PROGRAM_FILE), readInstalled(MODEL_FILE)])
  if (createHash('sha256').update(weights).digest('hex') !== MODEL_SHA256)
    throw new Error(`${MODEL_FILE} is not the model of Silero VAD 6.0`)
  env.wasm.numThreads = 1
  env.wasm.wasmBinary = program
  const session = await InferenceSession.create(weights, { executionProviders: ['wasm'] })
  return {
    createDetector: (options) => createSileroDetector(session, options),
    close: () => session.release(),
  }
}

const readInstalled = (file: string) => readFile(new URL(import.meta.resolve(file)))
