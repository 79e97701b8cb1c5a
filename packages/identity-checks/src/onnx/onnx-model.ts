import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { EngineError } from '../engine/engine-error.ts'
import { type RgbPicture, resizePicture, type Box } from '../image/rgb-picture.ts'
import { createEngineRequire, requirePackage } from '../engine/optional-packages.ts'

/**
 * Conversion of a picture to a model's input of 1 by 3 by height by width: `(value - mean) / scale` of each colour, 0
 * to 255.
 */
export interface OnnxInput {
  readonly file: string
  readonly width: number
  readonly height: number
  readonly mean: readonly [red: number, green: number, blue: number]
  readonly scale: readonly [red: number, green: number, blue: number]
  /** Order of the colours in the input; `rgb` by default. */
  readonly colours?: 'rgb' | 'bgr'
}

/* Types for the part of onnxruntime-node used here. */
interface OnnxTensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}
interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>
  release(): Promise<void>
}
interface OnnxRuntime {
  InferenceSession: {
    create(weights: Uint8Array, options: { intraOpNumThreads: number }): Promise<OnnxSession>
  }
  Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => OnnxTensor
}

/** A model that takes one picture. */
export interface OnnxModel extends AsyncDisposable {
  /** First 12 hexadecimal digits of the SHA-256 of the weights. */
  readonly digest: string
  /** Runs the model on a picture or a part of one. `null` means the first output. */
  run(picture: RgbPicture, outputs: readonly (string | null)[], box?: Box): Promise<readonly Float32Array[]>
}

/**
 * Opens a model with `onnxruntime-node`, which the operator must install.
 *
 * @throws EngineError `not_installed`, `weights_unreadable`
 */
export async function openOnnxModel(
  input: OnnxInput,
  options: { manifestDirectory: string; directory: string | undefined },
): Promise<OnnxModel> {
  const runtime = requirePackage<OnnxRuntime>(createEngineRequire(options.directory), 'onnxruntime-node')
  const file = path.resolve(options.manifestDirectory, input.file)
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
  const { width, height } = input
  const order = input.colours === 'bgr' ? ([2, 1, 0] as const) : ([0, 1, 2] as const)
  return {
    digest: createHash('sha256').update(weights).digest('hex').slice(0, 12),
    async run(picture, outputs, box) {
      const { data } = await resizePicture(picture, { width, height, ...(box && { box }) })
      const values = new Float32Array(3 * width * height)
      for (const [plane, colour] of order.entries())
        for (let pixel = 0; pixel < width * height; pixel++)
          values[plane * width * height + pixel] =
            ((data[pixel * 3 + colour] ?? 0) - input.mean[colour]) / input.scale[colour]
      const name = session.inputNames[0] ?? ''
      const results = await session.run({
        [name]: new runtime.Tensor('float32', values, [1, 3, height, width]),
      })
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
