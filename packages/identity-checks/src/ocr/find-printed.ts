import { type Place, toPlace } from '../image/place.ts'
import { cornersOf, mapCorners, turnBack } from '../image/turn.ts'
import { boxAround, type TextWord } from './layout.ts'
import type { PageLayout } from './page-reader.ts'

type Word = PageLayout['lines'][number][number]

/**
 * Finds where fields are printed on the front.
 *
 * @param fields words of each field, by its name
 * @param isOnLine whether a word is among those of a line
 */
export function findPrinted(
  { turn, lines }: PageLayout,
  fields: Readonly<Record<string, readonly string[]>>,
  isOnLine: (word: string, line: readonly string[]) => boolean,
): Place[] {
  const { width, height } = turn.original
  return Object.entries(fields).flatMap(([name, wanted]) => {
    const found = wanted.flatMap((word) => boxesOf(word, lines, isOnLine))
    if (found.length === 0) return []
    const corners = mapCorners(cornersOf(boxAround(found)), turnBack(turn))
    return [toPlace({ artifact: 'front_image', width, height }, name, corners)]
  })
}

/** Returns the boxes of the words that are a wanted one, or of all on its line if OCR split it or joined it with others. */
function boxesOf(
  wanted: string,
  lines: PageLayout['lines'],
  isOnLine: (word: string, line: readonly string[]) => boolean,
): TextWord['box'][] {
  const line = lines.find((words) => isOnLine(wanted, words.flatMap(partsOf)))
  if (line === undefined) return []
  const exact = line.filter((word) => isOnLine(wanted, partsOf(word)))
  return (exact.length > 0 ? exact : line).map(({ box }) => box)
}

const partsOf = ({ text }: Word): string[] => wordsOf(text)

/** Returns the words of a line in the letters that a zone has. */
export const wordsOf = (line: string): string[] =>
  line
    .toUpperCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
