import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { GreyImage } from '../image/open-image.ts'
import { toPgm } from '../image/pgm.ts'
import { findLanguageData } from './languages.ts'

/** The part of tesseract.js-core used here, which has no types. */
export interface TesseractApi {
  /** @returns 0 if the languages were loaded */
  Init(folder: null, languages: string, engine: number): number
  SetPageSegMode(mode: number): void
  /** Reads the file `/input`. @returns 0 if it could be read */
  SetImageFile(exifOrientation: number, angle: number): number
  /** @returns 0 if it did not fail */
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  /** Finds the script and how its letters stand. @returns false if the picture has too few letters */
  DetectOS(results: ScriptResults): boolean
  /** Frees the picture and the result. */
  Clear(): void
  /** Frees the languages too. */
  End(): void
}
export interface ScriptResults {
  readonly best_result: {
    readonly script_id: number
    readonly sconfidence: number
    /** Quarters by which the letters are turned. */
    readonly orientation_id: number
    readonly oconfidence: number
  }
  readonly unicharset: { get_script_from_script_id(id: number): string }
}
export interface TesseractCore {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void }
  readonly TessBaseAPI: new () => TesseractApi
  readonly OSResults: new () => ScriptResults
}
type CreateCore = (options: {
  TesseractProgress: (percent: number) => void
  print: (text: string) => void
  printErr: (text: string) => void
}) => Promise<TesseractCore>

/** The variants that tesseract.js chooses in every Node that this package supports. Only the second finds scripts. */
const VARIANTS = {
  lines: 'tesseract.js-core/tesseract-core-relaxedsimd-lstm',
  scripts: 'tesseract.js-core/tesseract-core-relaxedsimd',
} as const

/** The name under which the library looks for the picture. */
const PICTURE = '/input'

/** Loads the library. Its messages are dropped, because they may quote the page. */
export async function loadCore(variant: keyof typeof VARIANTS): Promise<TesseractCore> {
  const createCore: CreateCore = createRequire(import.meta.url)(VARIANTS[variant])
  const drop = () => undefined
  return createCore({ TesseractProgress: drop, print: drop, printErr: drop })
}

/** Loads language data. @throws if it is not installed, or is damaged */
export async function initialize(
  { core, api }: { core: TesseractCore; api: TesseractApi },
  codes: readonly string[],
  engine: number,
): Promise<void> {
  const wanted = codes.join('+')
  for (const code of codes) core.FS.writeFile(`./${code}.traineddata`, await readData(code))
  if (api.Init(null, wanted, engine) !== 0) throw new Error(`The data of ${wanted} could not be loaded`)
  for (const code of codes) core.FS.unlink(`./${code}.traineddata`)
}

async function readData(code: string): Promise<Buffer> {
  const folder = findLanguageData(code)
  if (folder === undefined) throw new Error(`The data of the language ${code} is not installed`)
  return promisify(gunzip)(await readFile(path.join(folder, `${code}.traineddata.gz`)))
}

/** Opens a picture, and frees it after its use. @throws if it cannot be opened */
export function withPicture<Result>(
  { core, api }: { core: TesseractCore; api: TesseractApi },
  picture: GreyImage,
  use: () => Result,
): Result {
  core.FS.writeFile(PICTURE, toPgm(picture))
  try {
    if (api.SetImageFile(1, 0) !== 0) throw new Error('The page was not recognized')
    return use()
  } finally {
    api.Clear()
    core.FS.unlink(PICTURE)
  }
}
