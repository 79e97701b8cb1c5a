import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { prepareZXingModule, type ReadInputBarcodeFormat, readBarcodes } from 'zxing-wasm/reader'
import type { GreyImage, OpenedImage } from '../image/open-image.ts'

/** Rotations at which a barcode is searched, because the reader finds none that is tilted by 5 degrees. */
const TILTS_DEGREES = [0, -4, 4]

let prepared: Promise<unknown> | undefined

/** Loads the WebAssembly file, because the library would otherwise fetch it from the network. */
async function prepare(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  const { buffer: wasmBinary } = Uint8Array.from(await readFile(file))
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
}

/** A barcode of any kind. The box is in pixels of its picture. */
export interface FoundBarcode {
  readonly format: string
  readonly text: string
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

/** Kinds that documents have. Other linear ones, without a check digit, would be found in any text. */
const FORMATS: ReadInputBarcodeFormat[] = ['Aztec', 'Code128', 'DataMatrix', 'EAN13', 'PDF417', 'QRCode']
const MAX_BARCODES = 20

/** Reads the barcodes of a page. */
export async function readBarcodesOf({ data, width, height }: GreyImage): Promise<FoundBarcode[]> {
  prepared ??= prepare()
  await prepared
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let index = 0; index < data.length; index++) pixels.fill(data[index] ?? 0, index * 4, index * 4 + 3)
  const found = await readBarcodes(
    { data: pixels, width, height, colorSpace: 'srgb' },
    { formats: FORMATS, tryHarder: false, textMode: 'Plain', maxNumberOfSymbols: MAX_BARCODES },
  )
  return found.map(({ format, text, position }) => {
    const corners = Object.values(position)
    const [x, y] = [Math.min(...corners.map((one) => one.x)), Math.min(...corners.map((one) => one.y))]
    return {
      format,
      text,
      box: {
        x,
        y,
        width: Math.max(...corners.map((one) => one.x)) - x,
        height: Math.max(...corners.map((one) => one.y)) - y,
      },
    }
  })
}

/** Reads the text of the first PDF417 barcode in a picture. Returns null if there is none. */
export async function readBarcode(image: OpenedImage): Promise<string | null> {
  prepared ??= prepare()
  await prepared
  for (const tilt of TILTS_DEGREES) {
    const { data, info } = await sharp(image.jpeg)
      .rotate(tilt, { background: '#808080' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const pixels = {
      data: new Uint8ClampedArray(data),
      width: info.width,
      height: info.height,
      colorSpace: 'srgb' as const,
    }
    const [found] = await readBarcodes(pixels, { formats: ['PDF417'], tryHarder: true, textMode: 'Plain' })
    if (found !== undefined) return found.text
  }
  return null
}
