import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { GreyImage } from '../image/open-image.ts'
import { findLanguageData } from './languages.ts'
import type { TextBlock } from './layout.ts'
import { parseTsv } from './parse-tsv.ts'
import { toPgm } from './pgm.ts'

/** The part of tesseract.js-core used here, which has no types. */
interface TesseractApi {
  /** @returns 0 if the languages were loaded */
  Init(folder: null, languages: string, engine: number): number
  SetPageSegMode(mode: number): void
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
interface TesseractCore {
  readonly FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void }
  readonly TessBaseAPI: new () => TesseractApi
}
type CreateCore = (options: {
  TesseractProgress: (percent: number) => void
  print: (text: string) => void
  printErr: (text: string) => void
}) => Promise<TesseractCore>

/** The variant that tesseract.js chooses in every Node that this package supports. */
const CORE = 'tesseract.js-core/tesseract-core-relaxedsimd-lstm'

/** The neural engine of tesseract; the data has no other. */
const LSTM_ONLY = 1
/**
 * How the text of a picture stands. In rows, each is read across the whole picture: columns would be mixed, but nothing of a table, a
 * form or a receipt is lost, as it is where columns are searched in them.
 */
const LAYOUTS = { columns: 3, rows: 6, line: 7 } as const
export type Layout = keyof typeof LAYOUTS
/** The name under which the library looks for the picture. */
const PICTURE = '/input'

interface Engine {
  readonly core: TesseractCore
  readonly api: TesseractApi
  languages: string
}

let loaded: Promise<Engine> | undefined

/** Loads the engine. Its messages are dropped, because they may quote the page. */
async function load(): Promise<Engine> {
  const createCore: CreateCore = createRequire(import.meta.url)(CORE)
  const drop = () => undefined
  const core = await createCore({ TesseractProgress: drop, print: drop, printErr: drop })
  return { core, api: new core.TessBaseAPI(), languages: '' }
}

/**
 * Recognizes upright text, without returning to the event loop, so it should run in a process of its own. Uses the core of
 * tesseract.js, because its workers accept one folder for all languages, and each language is in its own package.
 *
 * @param options.languages codes of the language data; changing them takes 100 ms
 * @param options.scale pixels of the page per pixel of the picture
 */
export async function recognize(
  picture: GreyImage,
  options: { languages: readonly string[]; scale: number; layout: Layout },
): Promise<TextBlock[]> {
  const engine = await (loaded ??= load())
  await setLanguages(engine, options.languages)
  const { core, api } = engine
  api.SetPageSegMode(LAYOUTS[options.layout])
  core.FS.writeFile(PICTURE, toPgm(picture))
  try {
    if (api.SetImageFile(1, 0) !== 0 || api.Recognize(null) !== 0)
      throw new Error('The page was not recognized')
    return parseTsv(api.GetTSVText(0), options.scale)
  } finally {
    api.Clear()
    core.FS.unlink(PICTURE)
  }
}

async function setLanguages(engine: Engine, codes: readonly string[]): Promise<void> {
  const wanted = codes.join('+')
  if (engine.languages === wanted) return
  const { core, api } = engine
  if (engine.languages !== '') api.End()
  engine.languages = ''
  for (const code of codes) core.FS.writeFile(`./${code}.traineddata`, await readData(code))
  if (api.Init(null, wanted, LSTM_ONLY) !== 0) throw new Error(`The data of ${wanted} could not be loaded`)
  for (const code of codes) core.FS.unlink(`./${code}.traineddata`)
  engine.languages = wanted
}

async function readData(code: string): Promise<Buffer> {
  const folder = findLanguageData(code)
  if (folder === undefined) throw new Error(`The data of the language ${code} is not installed`)
  return promisify(gunzip)(await readFile(path.join(folder, `${code}.traineddata.gz`)))
}
