/** Types for the part of tesseract.js used here; tsconfig.json has the reason. */
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
