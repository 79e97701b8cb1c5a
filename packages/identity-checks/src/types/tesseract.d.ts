/** Types for the part of tesseract.js used here; tsconfig.json has the reason. */
export declare enum OEM {
  LSTM_ONLY = 1,
}

/** How a page is divided into lines. */
export declare enum PSM {
  AUTO = '3',
}

interface TesseractLine {
  words: {
    text: string
    confidence: number
    /** Left, top, right and bottom edge. */
    bbox: { x0: number; y0: number; x1: number; y1: number }
  }[]
}
export interface TesseractBlock {
  paragraphs: { lines: TesseractLine[] }[]
}

export interface TesseractWorker {
  setParameters(parameters: { tessedit_pageseg_mode: PSM }): Promise<unknown>
  recognize(
    image: Uint8Array,
    options?: object,
    output?: { text: true; blocks: true },
  ): Promise<{ data: { text: string; confidence: number; blocks: TesseractBlock[] | null } }>
  terminate(): Promise<unknown>
}

export declare function createWorker(
  language: string,
  engine: OEM,
  options: { langPath: string; gzip: boolean; cacheMethod: 'none' },
): Promise<TesseractWorker>
