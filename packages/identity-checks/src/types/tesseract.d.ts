/** The part of tesseract.js that is used here; tsconfig.json says why. */
export declare enum OEM {
  LSTM_ONLY = 1,
}

export interface TesseractWorker {
  recognize(image: Uint8Array): Promise<{ data: { text: string; confidence: number } }>
  terminate(): Promise<unknown>
}

export declare function createWorker(
  language: string,
  engine: OEM,
  options: { langPath: string; gzip: boolean; cacheMethod: 'none' },
): Promise<TesseractWorker>
