import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { OpenedImage } from '../image/open-image.ts'

/** Rotations at which a barcode is searched, because the reader finds none that is tilted by 5 degrees. */
const TILTS_DEGREES = [0, -4, 4]

let prepared: Promise<unknown> | undefined

/** Loads the WebAssembly file, because the library would otherwise fetch it from the network. */
async function prepare(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  const { buffer: wasmBinary } = Uint8Array.from(await readFile(file))
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
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
