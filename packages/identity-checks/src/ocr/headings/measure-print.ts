import type { GreyImage } from '../../image/open-image.ts'
import type { TextBlock, TextWord } from '../layout.ts'
import { median } from '../tables/rows.ts'
import type { PrintStyle, StyleOf } from './print-style.ts'

/** Heights of letters, in sizes of the font, above and below the line on which they stand. */
const HEIGHT = { small: 0.48, tall: 0.7, below: 0.21 }
const TALL = /[\p{Lu}\p{Lt}\p{N}bdfhijklt\u00df-\u00ff/()[\]]/u
const BELOW = /[gjpqyQ,;()[\]/]/u
/** Of scripts without capitals. */
const OTHER = { letter: /\p{Lo}/u, height: 0.8 }
/** Strokes this much thicker, compared with the size, than those of most words are bold. */
const BOLD = 1.25
/** Longer runs of ink, in sizes, are no strokes, but bars of letters, rules and pictures. */
const LONGEST_STROKE = 0.35
/** Between ink and paper, from the darkest to the brightest pixel of a word. */
const INK = 0.5

/** Measures how words are printed by their boxes and the thickness of their strokes. */
export function measurePrint(picture: GreyImage, blocks: readonly TextBlock[]): StyleOf {
  const words = blocks
    .flatMap(({ lines }) => lines.flatMap((line) => line.words))
    .map((word) => {
      const size = word.box.height / heightOf(word.text)
      return { word, size, stroke: strokeOf(picture, word, size) / size }
    })
  const usual = median(words.map(({ stroke }) => stroke).filter((stroke) => stroke > 0))
  const styles = new Map(
    words.map(({ word, size, stroke }): [TextWord, PrintStyle] => [
      word,
      { size, isBold: stroke > usual * BOLD },
    ]),
  )
  return (word) => styles.get(word)
}

/** Returns the height of a word in sizes of its font. */
function heightOf(text: string): number {
  if (OTHER.letter.test(text)) return OTHER.height
  return (TALL.test(text) ? HEIGHT.tall : HEIGHT.small) + (BELOW.test(text) ? HEIGHT.below : 0)
}

/** Returns the mean thickness of the upright strokes of a word, in pixels; 0 if it has none. */
function strokeOf({ data, width, height }: GreyImage, { box }: TextWord, size: number): number {
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)]
  const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)]
  let [darkest, brightest] = [255, 0]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const grey = data[y * width + x] ?? 255
      darkest = Math.min(darkest, grey)
      brightest = Math.max(brightest, grey)
    }
  const limit = darkest + (brightest - darkest) * INK
  let [runs, ink] = [0, 0]
  for (let y = top; y < bottom; y++) {
    let run = 0
    for (let x = left; x <= right; x++) {
      if (x < right && (data[y * width + x] ?? 255) < limit) {
        run++
        continue
      }
      if (run > 0 && run < size * LONGEST_STROKE) {
        runs++
        ink += run
      }
      run = 0
    }
  }
  return runs === 0 ? 0 : ink / runs
}
