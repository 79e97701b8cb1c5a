import type { GreyImage } from '../image/open-image.ts'
import type { TextBlock } from './layout.ts'
import { parseTsv } from './parse-tsv.ts'
import { initialize, loadCore, type TesseractApi, type TesseractCore, withPicture } from './tesseract-core.ts'

/** The neural engine of tesseract; the data has no other. */
const LSTM_ONLY = 1
/**
 * How the text of a picture stands. In rows, each is read across the whole picture: columns would be mixed, but nothing of a table, a
 * form or a receipt is lost, as it is where columns are searched in them.
 */
const LAYOUTS = { columns: 3, rows: 6, line: 7 } as const
export type Layout = keyof typeof LAYOUTS

interface Engine {
  readonly core: TesseractCore
  readonly api: TesseractApi
  languages: string
}

let loaded: Promise<Engine> | undefined

async function load(): Promise<Engine> {
  const core = await loadCore('lines')
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
  const { api } = engine
  api.SetPageSegMode(LAYOUTS[options.layout])
  return withPicture(engine, picture, () => {
    if (api.Recognize(null) !== 0) throw new Error('The page was not recognized')
    return parseTsv(api.GetTSVText(0), options.scale)
  })
}

async function setLanguages(engine: Engine, codes: readonly string[]): Promise<void> {
  const wanted = codes.join('+')
  if (engine.languages === wanted) return
  if (engine.languages !== '') engine.api.End()
  engine.languages = ''
  await initialize(engine, codes, LSTM_ONLY)
  engine.languages = wanted
}
