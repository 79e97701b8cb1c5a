import path from 'node:path'
import { type Box, resizePicture, type RgbPicture } from '../image/rgb-picture.ts'
import { openOnnxSession } from './open-session.ts'

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
  const session = await openOnnxSession(path.resolve(options.manifestDirectory, input.file), options)
  const { width, height } = input
  const order = input.colours === 'bgr' ? ([2, 1, 0] as const) : ([0, 1, 2] as const)
  return {
    digest: session.digest,
    async run(picture, outputs, box) {
      const { data } = await resizePicture(picture, { width, height, ...(box && { box }) })
      const values = new Float32Array(3 * width * height)
      for (const [plane, colour] of order.entries())
        for (let pixel = 0; pixel < width * height; pixel++)
          values[plane * width * height + pixel] =
            ((data[pixel * 3 + colour] ?? 0) - input.mean[colour]) / input.scale[colour]
      return session.run(values, [1, 3, height, width], outputs)
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  }
}
