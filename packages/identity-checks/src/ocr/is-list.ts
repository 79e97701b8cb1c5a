import { type TextWord, toLine } from './layout.ts'

/** Share of the rows of a list that are filled in each column; its last row is. Addresses are ragged. */
const FILLED = 0.8
/** Rows without numbers, or with a number in each cell, are a list from so many on. */
const MIN_ROWS = 4
/** So many rows are one if nothing in them says that they belong to addresses. */
const MANY_ROWS = 8

const hasNumber = (cell: string): boolean => /\p{N}/u.test(cell)
const hasLabel = (cell: string): boolean => /[\p{L}\p{M}]:|@/u.test(cell)
const isWord = (cell: string): boolean => !cell.includes(' ')

/**
 * Whether rows of words below the headings of columns are a list, such as one of routes below "Ship from" and "Ship to", rather than
 * addresses. An address begins with a name, has numbers further down, and ends where it will; cells of a list are alike.
 *
 * @param rows words by column; empty where a row has nothing in it
 */
export function isList(rows: readonly (readonly TextWord[][])[]): boolean {
  const texts = rows.map((cells) => cells.map((words) => (words.length === 0 ? '' : toLine(words).text)))
  const filled = texts.filter((cells) => !cells.includes(''))
  if (filled.length < rows.length * FILLED || filled.at(-1) !== texts.at(-1)) return false
  const [first = []] = filled
  const columns = first.map((_, column) => filled.map((cells) => cells[column] ?? ''))
  if (filled.length >= MIN_ROWS && columns.flat().every(hasNumber)) return true
  const isOfParties = filled.some((cells) => cells.every((cell) => cell === cells[0]))
  if (isOfParties || columns.flat().some(hasLabel)) return false
  if (filled.length >= MANY_ROWS) return true
  const areAlike = columns.every((cells) => cells.every(hasNumber) || !cells.some(hasNumber))
  return areAlike && (filled.length >= MIN_ROWS || (!columns.flat().some(hasNumber) && first.some(isWord)))
}
