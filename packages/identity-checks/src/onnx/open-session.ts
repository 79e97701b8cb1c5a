import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { EngineError } from '../engine/engine-error.ts'
import { createEngineRequire, requirePackage } from '../engine/optional-packages.ts'

/* Types for the part of onnxruntime-node used here. */
interface OnnxTensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}
interface RuntimeSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>
  release(): Promise<void>
}
interface OnnxRuntime {
  InferenceSession: {
    create(weights: Uint8Array, options: { intraOpNumThreads: number }): Promise<RuntimeSession>
  }
  Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => OnnxTensor
}

/** A loaded model with one input. */
export interface OnnxSession extends AsyncDisposable {
  /** First 12 hexadecimal digits of the SHA-256 of the weights. */
  readonly digest: string
  /** Runs the model. `null` means the first output. */
  run(
    values: Float32Array,
    dims: readonly number[],
    outputs: readonly (string | null)[],
  ): Promise<readonly Float32Array[]>
}

/**
 * Loads a model with `onnxruntime-node`, which the operator must install.
 *
 * @param options.directory directory where it is installed; by default that of the process
 * @throws EngineError `not_installed`, `weights_unreadable`
 */
export async function openOnnxSession(
  file: string,
  { directory }: { directory: string | undefined },
): Promise<OnnxSession> {
  const runtime = requirePackage<OnnxRuntime>(createEngineRequire(directory), 'onnxruntime-node')
  const unreadable = (error: unknown) =>
    new EngineError('weights_unreadable', `The weights ${path.basename(file)} cannot be read`, error)
  const weights = await readFile(file).catch((error: unknown) => {
    throw unreadable(error)
  })
  // One thread, because the server runs a verification per processor.
  const session = await runtime.InferenceSession.create(weights, { intraOpNumThreads: 1 }).catch(
    (error: unknown) => {
      throw unreadable(error)
    },
  )
  return {
    digest: createHash('sha256').update(weights).digest('hex').slice(0, 12),
    async run(values, dims, outputs) {
      const name = session.inputNames[0] ?? ''
      const results = await session.run({ [name]: new runtime.Tensor('float32', values, dims) })
      return outputs.map((output) => {
        const result = results[output ?? session.outputNames[0] ?? '']
        if (result === undefined)
          throw new EngineError('manifest_invalid', `The model has no output ${output ?? 'at all'}`)
        return result.data
      })
    },
    [Symbol.asyncDispose]: () => session.release(),
  }
}
