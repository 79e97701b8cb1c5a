import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, type ReadInputBarcodeFormat, readBarcodes } from 'zxing-wasm/reader'
import { type GreyImage, type OpenedImage, readGrey, rotateGrey } from '../image/open-image.ts'
import { toPgm } from '../image/pgm.ts'
import { type Corners, mapCorners, turnBack } from '../image/turn.ts'

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
export async function readBarcodesOf(page: GreyImage): Promise<FoundBarcode[]> {
  prepared ??= prepare()
  await prepared
  const found = await readBarcodes(toPgm(page), {
    formats: FORMATS,
    tryHarder: false,
    textMode: 'Plain',
    maxNumberOfSymbols: MAX_BARCODES,
  })
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

/** A barcode, and where it is in the pixels of its picture. */
export interface PlacedBarcode {
  readonly text: string
  readonly corners: Corners
}

/** Reads the first PDF417 barcode in a picture. Returns null if there is none. */
export async function readBarcode(image: OpenedImage): Promise<PlacedBarcode | null> {
  prepared ??= prepare()
  await prepared
  const grey = await readGrey(image)
  for (const degrees of TILTS_DEGREES) {
    const tilted = await rotateGrey(grey, degrees, { background: '#808080' })
    const [found] = await readBarcodes(toPgm(tilted), {
      formats: ['PDF417'],
      tryHarder: true,
      textMode: 'Plain',
    })
    if (found === undefined) continue
    const { topLeft, topRight, bottomRight, bottomLeft } = found.position
    const toImage = turnBack({ degrees, turned: tilted, scaled: grey, original: image })
    return { text: found.text, corners: mapCorners([topLeft, topRight, bottomRight, bottomLeft], toImage) }
  }
  return null
}
