import { boxAround, type TextWord } from '../layout.ts'

/** A part of the width of a page, in pixels from its left. */
export interface Interval {
  readonly left: number
  readonly right: number
}

/** Words without a wide gap between them. */
export interface Segment extends Interval {
  readonly words: readonly TextWord[]
}

/** What stands at one height of a page, from left to right. */
export interface TextRow {
  readonly top: number
  readonly bottom: number
  /** Of its print, in pixels. */
  readonly height: number
  readonly segments: readonly Segment[]
}

/**
 * A gap this wide, in heights of the print, separates segments. Half of the gaps between words have 0.5, and 15 % of all gaps have more
 * than 0.9, of which most are between columns.
 */
const SEGMENT_GAP = 1.3
/** Words this much taller than most are titles, or are written vertically. */
const TALL = 3
/** Words are in a row if they share this much of the lower one's height. */
const LEVEL = 0.5
/** A row is no taller than this many times the print, or it would take in the next ones. */
const ROW_HEIGHT = 2
/** Rows that a word is compared with. More than one row may be open, because cells are not quite level. */
const OPEN_ROWS = 4
/** The print of a row without tall letters is taken to be this high, compared with that of the page. */
const LEAST_HEIGHT = 0.8

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

interface OpenRow {
  top: number
  bottom: number
  readonly words: TextWord[]
}

/** Makes rows of the words of a page by their places, because the lines of a text layer are in any order. */
export function toRows(words: readonly TextWord[]): TextRow[] {
  const usual = median(words.map(({ box }) => box.height))
  const open: OpenRow[] = []
  const middle = ({ box }: TextWord) => box.y + box.height / 2
  for (const word of words
    .filter(({ box }) => box.height <= usual * TALL)
    .toSorted((one, other) => middle(one) - middle(other))) {
    const top = word.box.y
    const bottom = top + word.box.height
    const [nearest] = open
      .slice(-OPEN_ROWS)
      .map((row) => ({ row, share: sharedHeight(row, { top, bottom }) }))
      .filter(({ share }) => share >= LEVEL)
      .toSorted((one, other) => other.share - one.share)
    if (nearest === undefined) {
      open.push({ top, bottom, words: [word] })
      continue
    }
    const { row } = nearest
    row.words.push(word)
    if (Math.max(row.bottom, bottom) - Math.min(row.top, top) > usual * ROW_HEIGHT) continue
    row.top = Math.min(row.top, top)
    row.bottom = Math.max(row.bottom, bottom)
  }
  return open
    .map((row) => toRow(row.words, usual))
    .toSorted((one, other) => one.top + one.bottom - other.top - other.bottom)
}

type Band = Pick<OpenRow, 'top' | 'bottom'>
const sharedHeight = (one: Band, other: Band): number =>
  (Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)) /
  Math.min(one.bottom - one.top, other.bottom - other.top)

function toRow(words: readonly TextWord[], usual: number): TextRow {
  const height = Math.max(median(words.map(({ box }) => box.height)), usual * LEAST_HEIGHT)
  return { ...bandOf(words), height, segments: toSegments(words, height * SEGMENT_GAP) }
}

function bandOf(words: readonly TextWord[]): Band {
  const { y, height } = boxAround(words.map(({ box }) => box))
  return { top: y, bottom: y + height }
}

/** Joins words with gaps smaller than `gap` pixels. */
function toSegments(words: readonly TextWord[], gap: number): Segment[] {
  const groups: TextWord[][] = []
  let right = 0
  for (const word of words.toSorted((one, other) => one.box.x - other.box.x)) {
    const group = groups.at(-1)
    const end = word.box.x + word.box.width
    if (group === undefined || word.box.x - right >= gap) {
      groups.push([word])
      right = end
    } else {
      group.push(word)
      right = Math.max(right, end)
    }
  }
  return groups.map(toSegment)
}

export function toSegment(words: readonly TextWord[]): Segment {
  const { x, width } = boxAround(words.map(({ box }) => box))
  return { left: x, right: x + width, words }
}

/** Leaves what stands within an interval. */
export const cutRows = (rows: readonly TextRow[], { left, right }: Interval): TextRow[] =>
  rows.flatMap((row) => {
    const segments = row.segments.filter((segment) => {
      const middle = (segment.left + segment.right) / 2
      return middle > left && middle < right
    })
    if (segments.length === 0) return []
    return [{ ...row, ...bandOf(segments.flatMap(({ words }) => words)), segments }]
  })
