/** What a line of Markdown begins with, or is as a whole. Offsets are those in the line. */
export type LineStart =
  /** Nothing of the line is spoken: a rule, an underline, the target of a reference. */
  | { kind: 'skip' }
  /** The second row of a table. Its other rows need no signs at their ends. */
  | { kind: 'delimiter' }
  /** A line of code that is indented. */
  | { kind: 'code' }
  | { kind: 'fence'; fence: string }
  | { kind: 'heading'; from: number; to: number }
  | { kind: 'row'; from: number; to: number }
  /** Text after a prefix that is not spoken. A block is a sentence of its own, as the item of a list. */
  | { kind: 'text'; from: number; isBlock: boolean }

/** A longer line is text, so that a reader need not wait for its end. */
export const MAX_LINE_UNITS = 2000

const QUOTES = String.raw`[ \t]*(?:>[ \t]?)*[ \t]*`
const PREFIX = new RegExp(
  String.raw`^${QUOTES}(?<block>[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?|\[\^[^\]\s]{1,64}\]:[ \t]*)?`,
)
/** The number of an item is spoken. */
const NUMBER = /^\d{1,9}[.)][ \t]/
const FENCE = new RegExp(
  String.raw`^${QUOTES}(?:[-*+•][ \t]+|\d{1,9}[.)][ \t]+)?(?<fence>\x60{3,}(?!.*\x60)|~{3,})`,
)
const HEADING = new RegExp(String.raw`^${QUOTES}#{1,6}(?:[ \t]+|$)`)
const HEADING_END = /[ \t]*(?:(?<=[ \t])#+[ \t]*)?$/
/** Rules, underlines of headings, second rows of tables, and bullets without text. */
const SIGNS_ALONE = new RegExp(
  String.raw`^${QUOTES}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*)+|(?:_[ \t]*){3,}|={2,}[ \t]*|[*+•][ \t]*|\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*)$`,
)
const TARGET =
  /^ {0,3}\[(?!\^)[^\]]{1,400}\]:[ \t]*(?:<[^<>]*>|\S+)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
/** The second row of a table, or what may become one. */
const DELIMITER = new RegExp(
  String.raw`^${QUOTES}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|[ \t]*(?::?-+:?[ \t]*)?\r?$`,
)
const OPEN_ROW = new RegExp(String.raw`^(?<start>${QUOTES}\|?)(?=.*[^\\]\|)`)
const INDENTED = /^(?: {4}| {0,3}\t)[ \t]*\S/
const ROW = new RegExp(String.raw`^(?<start>${QUOTES}\|).*\|[ \t]*$`)

/** Beginnings that may still become any of what takes a whole line, or a longer prefix. */
const UNDECIDED = new RegExp(
  String.raw`^${QUOTES}(?:[\p{P}\p{S}\d \t]*|[-*+•][ \t]+\[[ xX]?\]?|(?:[-*+•][ \t]+|\d{1,9}[.)][ \t]+)?(?:\x60{3,}|~{3,}).*|#{1,6}[ \t].*|\|.*| {0,3}\[[^\]]{0,400}\]?|\[[^\]]{1,400}\]:.*)$`,
  'u',
)

/** What earlier lines make of a line. */
export interface Surroundings {
  /** Whether rows of a table precede it. */
  isInTable: boolean
  /** Whether it is code if it is indented: after a blank line or code, in a document with other blocks, outside of lists. */
  mayBeCode: boolean
}

/**
 * Reads the start of a line.
 *
 * @param isWhole - whether the line ends here
 * @returns undefined if it depends on what follows
 */
export function readLineStart(
  line: string,
  isWhole: boolean,
  { isInTable, mayBeCode }: Surroundings,
): LineStart | undefined {
  const isShort = line.length <= MAX_LINE_UNITS
  if (mayBeCode && INDENTED.test(line)) return isWhole || !isShort ? { kind: 'code' } : undefined
  if (!isWhole && isShort && (isInTable || UNDECIDED.test(line))) return undefined
  if (isInTable && isWhole && isShort) {
    const start = OPEN_ROW.exec(line)?.groups?.['start']
    if (start !== undefined && !DELIMITER.test(line))
      return { kind: 'row', from: start.length, to: line.replace(/(?<!\\)\|?[ \t]*$/, '').length }
  }
  if (isWhole && isShort) {
    const whole = readWholeLine(line)
    if (whole !== undefined) return whole
  }
  const { 0: prefix, groups } = PREFIX.exec(line) ?? { 0: '' }
  const isBlock = groups?.['block'] !== undefined || NUMBER.test(line.slice(prefix.length))
  return { kind: 'text', from: prefix.length, isBlock }
}

function readWholeLine(line: string): LineStart | undefined {
  if (line.trim() === '') return undefined
  if (DELIMITER.test(line)) return { kind: 'delimiter' }
  if (SIGNS_ALONE.test(line) || TARGET.test(line)) return { kind: 'skip' }
  const fence = FENCE.exec(line)?.groups?.['fence']
  if (fence !== undefined) return { kind: 'fence', fence }
  const heading = HEADING.exec(line)?.[0]
  if (heading !== undefined)
    return { kind: 'heading', from: heading.length, to: Math.max(heading.length, line.search(HEADING_END)) }
  const row = ROW.exec(line)?.groups?.['start']
  return row === undefined ? undefined : { kind: 'row', from: row.length, to: line.trimEnd().length - 1 }
}

/** Whether a line ends the code that began with a fence. */
export const closesFence = (line: string, fence: string): boolean => {
  const signs = line.replace(/^[ \t>]*/, '').trimEnd()
  return signs.length >= fence.length && signs === fence.charAt(0).repeat(signs.length)
}

/** So much of a line and the next is read to find a table, so that little waits for it. */
const MAX_HEADER_UNITS = 400

/**
 * Whether a `|` stands in the first row of a table, which only the next line tells from a text.
 *
 * @returns undefined if that depends on what follows
 */
export function endsHeaderCell(text: string, at: number, isComplete: boolean): boolean | undefined {
  const row = lineFrom(text, at, isComplete)
  if (row === undefined || !row.isWhole) return row === undefined ? false : undefined
  const next = lineFrom(text, at + row.text.length + 1, isComplete)
  if (next === undefined) return false
  if (!next.isWhole) return /^[ \t>|:-]*$/.test(next.text) ? undefined : false
  return DELIMITER.test(next.text)
}

function lineFrom(
  text: string,
  start: number,
  isComplete: boolean,
): { text: string; isWhole: boolean } | undefined {
  const known = text.slice(start, start + MAX_HEADER_UNITS)
  const newline = known.indexOf('\n')
  if (newline !== -1) return { text: known.slice(0, newline), isWhole: true }
  return known.length === MAX_HEADER_UNITS ? undefined : { text: known, isWhole: isComplete }
}
