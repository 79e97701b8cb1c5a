import type { GreyImage } from '../image/open-image.ts'
import { cutBox } from './cut-box.ts'
import { editDistance } from './edit-distance.ts'
import { meanConfidence, type TextBlock, type TextLine } from './layout.ts'
import { recognize } from './recognizer.ts'

/** Lines of the layer that are looked at. The longest say most. */
const LINES = 2
const MAX_LETTERS = 80
const MIN_LETTERS = 4
/** Less is not read with certainty, as in a script whose data is not installed. */
const MIN_HEIGHT_PIXELS = 12
const SURE = 0.8
/** Share of letters that differ. Readings of a picture differ from what it says in hardly any. */
const OTHER_TEXT = 0.5

/**
 * Compares a text layer with the picture of its page: it may belong to a font that gives letters the codes of others, as those for
 * Nepali before Unicode do, or may be invisible and wrong.
 *
 * @returns false if the picture surely shows other text; true if it shows the same, or cannot be read
 */
export async function believesLayer(
  picture: GreyImage,
  blocks: readonly TextBlock[],
  languages: readonly string[],
): Promise<boolean> {
  const lines = blocks
    .flatMap((block) => block.lines)
    .map((line) => ({ line, letters: lettersOf(line.text) }))
    .filter(
      ({ line, letters }) =>
        letters.length >= MIN_LETTERS &&
        letters.length <= MAX_LETTERS &&
        line.box.height >= MIN_HEIGHT_PIXELS,
    )
    .toSorted((one, other) => other.letters.length - one.letters.length)
    .slice(0, LINES)
  for (const { line, letters } of lines) {
    const seen = (await recognize(cutLine(picture, line), { languages, scale: 1, layout: 'line' })).flatMap(
      (block) => block.lines,
    )
    const shown = lettersOf(seen.map(({ text }) => text).join(' '))
    if (shown.length < MIN_LETTERS || meanConfidence(seen) < SURE) return true
    if (editDistance(letters, shown) < OTHER_TEXT * Math.max(letters.length, shown.length)) return true
  }
  return lines.length === 0
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** Cuts a line out of its page, with some of what is around it. */
function cutLine(picture: GreyImage, { box }: TextLine): GreyImage {
  const margin = Math.ceil(box.height / 2)
  return cutBox(picture, {
    x: box.x - margin,
    y: box.y - margin,
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
  })
}
