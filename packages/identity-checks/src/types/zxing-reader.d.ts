/** Types for the part of zxing-wasm/reader used here; tsconfig.json has the reason. */
export declare function prepareZXingModule(options: {
  overrides: { wasmBinary: ArrayBuffer }
  fireImmediately: true
}): Promise<unknown>

export declare function readBarcodes(
  image: { data: Uint8ClampedArray; width: number; height: number; colorSpace: 'srgb' },
  options: { formats: readonly 'PDF417'[]; tryHarder: boolean; textMode: 'Plain' },
): Promise<readonly { text: string }[]>
