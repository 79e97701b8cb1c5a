import type { GreyImage } from '../../image/open-image.ts'
import type { TextWord } from '../layout.ts'
import { shrinkPage } from '../straighten.ts'
import { cutStrip } from './cut-strip.ts'
import { findStrips } from './find-strips.ts'
import { LINE_HEIGHT, openPhotoModels } from './models.ts'
import { type LineWord, splitWords } from './split-words.ts'
import type { TextStrip } from './text-strip.ts'

/** Reads English print on photographs, and what is printed in Latin letters without accents. */
export interface PhotoReader extends AsyncDisposable {
  /** Name and version of its models. */
  readonly model: string
  /** Reads an upright picture. Returns the words of each piece of text, in no order, with boxes in the pixels of the picture. */
  read(picture: GreyImage): Promise<TextWord[][]>
}

/** The longest side of a picture that is read: a larger one takes more memory, and is read no better. */
const SIDE = 1600
/** A longer strip, in its heights, is a rule or an edge: a line of print has a hundred letters. */
const LONGEST = 80
/** A strip that stands upright is a single letter if it is shorter than this, in its widths, and otherwise a line that runs up or down. */
const LETTER = 2.5

/**
 * Creates a reader of photographs. It takes 200 MB, and another 300 while it reads.
 *
 * @param options.directory where its packages are installed; by default that of the process
 * @throws EngineError `not_installed`, `weights_unreadable`
 */
export async function createPhotoReader(options: { directory?: string | undefined }): Promise<PhotoReader> {
  const models = await openPhotoModels(options.directory)
  return {
    model: models.name,
    async read(picture) {
      const page = await shrinkPage(picture, SIDE)
      const map = await models.detect(page)
      const toPage = { across: page.width / map.width, down: page.height / map.height }
      const pieces: TextWord[][] = []
      for (const found of findStrips(map)) {
        const level = levelStrip(found)
        if (level === null || level.length > LONGEST * level.height) continue
        const strip = scaleStrip(level, toPage)
        const line = cutStrip(page, strip, LINE_HEIGHT)
        const words = splitWords(await models.recognize(line), line)
        pieces.push(words.map((word) => toTextWord(word, strip, picture.width / page.width)))
      }
      return pieces
    },
    [Symbol.asyncDispose]: () => models[Symbol.asyncDispose](),
  }
}

/** Returns a strip whose text runs from left to right; null for one whose text runs up or down, as all do on a page that lies on its side. */
function levelStrip(strip: TextStrip): TextStrip | null {
  if (Math.abs(strip.angle) <= Math.PI / 4) return strip
  if (strip.length > LETTER * strip.height) return null
  const angle = strip.angle - Math.sign(strip.angle) * (Math.PI / 2)
  return { ...strip, length: strip.height, height: strip.length, angle }
}

/** Moves a strip to a larger picture, of almost the same proportions. */
function scaleStrip(strip: TextStrip, { across, down }: { across: number; down: number }): TextStrip {
  const scale = Math.sqrt(across * down)
  return {
    center: { x: strip.center.x * across, y: strip.center.y * down },
    length: strip.length * scale,
    height: strip.height * scale,
    angle: strip.angle,
  }
}

/** Returns a word with the upright box around it. */
function toTextWord({ text, confidence, start, end }: LineWord, strip: TextStrip, scale: number): TextWord {
  const [cos, sin] = [Math.cos(strip.angle), Math.sin(strip.angle)]
  const along = ((start + end) / 2 - 0.5) * strip.length
  const length = (end - start) * strip.length
  const width = length * Math.abs(cos) + strip.height * Math.abs(sin)
  const height = length * Math.abs(sin) + strip.height * Math.abs(cos)
  const [x, y] = [strip.center.x + along * cos - width / 2, strip.center.y + along * sin - height / 2]
  return {
    text,
    confidence,
    box: {
      x: Math.round(Math.max(0, x) * scale),
      y: Math.round(Math.max(0, y) * scale),
      width: Math.round(width * scale),
      height: Math.round(height * scale),
    },
  }
}
