/** Types for the part of tesseract.js-core used here, which has none. */
export interface TesseractApi {
  /** @returns 0 if the languages were loaded */
  Init(folder: null, languages: string, engine: number): number
  /** Reads the file `/input`. @returns 0 if it could be read */
  SetImageFile(exifOrientation: number, angle: number): number
  /** @returns 0 if it did not fail */
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  /** Frees the picture and the result. */
  Clear(): void
  /** Frees the languages too. */
  End(): void
}

export interface TesseractCore {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void }
  readonly TessBaseAPI: new () => TesseractApi
}

declare function createCore(options: {
  TesseractProgress: (percent: number) => void
  print: (text: string) => void
  printErr: (text: string) => void
}): Promise<TesseractCore>
export default createCore
