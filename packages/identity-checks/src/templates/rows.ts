import { boxAround, type TextBlock, type TextBox, type TextWord } from '../ocr/layout.ts'
import { editDistance } from '../ocr/edit-distance.ts'

/** Words that stand side by side, from left to right, whatever column the recognition put them in. */
export type Row = readonly TextWord[]

/** Share of letters that may differ, because OCR makes errors. Texts of less than five letters must be exact. */
const TOLERANCE = 0.2
/** A word this much higher than most is no text, but a picture or an edge that was taken for some. */
const HIGHEST = 3

/** Returns the letters and digits of a text, in one form for all ways to write it. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}]/gu, '')

/** Whether a word has neither letters nor digits. */
export const isMark = ({ text }: TextWord): boolean => lettersOf(text) === ''

export const toleranceOf = (letters: string): number => Math.floor(letters.length * TOLERANCE)
export const isAlike = (one: string, other: string): boolean => editDistance(one, other) <= toleranceOf(other)

export const right = ({ x, width }: TextBox): number => x + width
export const bottom = ({ y, height }: TextBox): number => y + height
const middle = ({ y, height }: TextBox): number => y + height / 2

/** Groups the words of a page by the rows in which they stand, from top to bottom. */
export function rowsOf(blocks: readonly TextBlock[]): Row[] {
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words.flatMap(splitAtColon)))
  const heights = words.map(({ box }) => box.height).toSorted((a, b) => a - b)
  const highest = (heights[heights.length >> 1] ?? 0) * HIGHEST
  const rows: TextWord[][] = []
  for (const word of words.filter(({ box }) => box.height <= highest).toSorted((a, b) => a.box.x - b.box.x)) {
    // The last word of a row is the nearest, so that a row that is not quite level stays one.
    const [nearest] = rows
      .filter((row) => areLevel(row.at(-1)?.box, word.box))
      .toSorted((a, b) => distanceFrom(word, a) - distanceFrom(word, b))
    if (nearest === undefined) rows.push([word])
    else nearest.push(word)
  }
  return rows.toSorted((a, b) => boxOf(a).y - boxOf(b).y)
}

export const boxOf = (row: Row): TextBox => boxAround(row.map(({ box }) => box))

const distanceFrom = ({ box }: TextWord, row: Row): number =>
  Math.abs(middle(row.at(-1)?.box ?? box) - middle(box))

function areLevel(one: TextBox | undefined, other: TextBox): boolean {
  if (one === undefined) return false
  const overlap = Math.min(bottom(one), bottom(other)) - Math.max(one.y, other.y)
  return overlap >= Math.min(one.height, other.height) / 2
}

/** Splits a word such as `No.:123`, in proportion to its letters. */
function splitAtColon(word: TextWord): TextWord[] {
  const at = word.text.indexOf(':')
  if (at <= 0 || at === word.text.length - 1) return [word]
  const width = Math.round((word.box.width * (at + 1)) / word.text.length)
  return [
    { ...word, text: word.text.slice(0, at + 1), box: { ...word.box, width } },
    {
      ...word,
      text: word.text.slice(at + 1),
      box: { ...word.box, x: word.box.x + width, width: word.box.width - width },
    },
  ]
}
