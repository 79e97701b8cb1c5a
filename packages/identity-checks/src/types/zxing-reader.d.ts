/** Types for the part of zxing-wasm/reader used here; tsconfig.json has the reason. */
export declare function prepareZXingModule(options: {
  overrides: { wasmBinary: ArrayBuffer }
  fireImmediately: true
}): Promise<unknown>

export type ReadInputBarcodeFormat = 'Aztec' | 'Code128' | 'DataMatrix' | 'EAN13' | 'PDF417' | 'QRCode'

export interface Point {
  x: number
  y: number
}

export declare function readBarcodes(
  image: Uint8Array,
  options: {
    formats: ReadInputBarcodeFormat[]
    tryHarder: boolean
    textMode: 'Plain'
    maxNumberOfSymbols?: number
  },
): Promise<
  readonly {
    text: string
    format: string
    position: { topLeft: Point; topRight: Point; bottomLeft: Point; bottomRight: Point }
  }[]
>
