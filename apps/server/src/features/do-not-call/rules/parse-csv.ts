/** A record, or null if its quotes do not end, or not where a cell does; and the line on which it begins, from 1. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[] | null
}

const SEPARATORS = [',', ';', '\t'] as const
/** Cells of a record that are read; the rest of its line is skipped. */
const MOST_CELLS = 100

/** Excel separates cells by what the language of its user prescribes. */
function findSeparator(text: string): string {
  const firstLine = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const unquoted = firstLine.replaceAll(/"[^"]*"/g, '')
  return SEPARATORS.find((separator) => unquoted.includes(separator)) ?? ','
}

/** Text of a cell with the quotes around it, if it has any, then the separator, the end of the line, or that of the file. */
const cellOf = (separator: string) =>
  new RegExp(
    `(?: *"([^"]*(?:""[^"]*)*)" *|([^"${separator}\r\n][^${separator}\r\n]*)?)(${separator}|\r\n|\r|\n|$)`,
    'y',
  )

/** Parses CSV (RFC 4180) with any of the usual line ends and separators. Blank lines are no records. */
export function* parseCsv(text: string): Generator<CsvRecord, void> {
  const separator = findSeparator(text)
  const cell = cellOf(separator)
  let cells: string[] = []
  let line = 1
  let startLine = 1
  for (let place = 0; place < text.length || cells.length > 0;) {
    if (cells.length === 0) startLine = line
    cell.lastIndex = place
    const match = cells.length < MOST_CELLS ? cell.exec(text) : null
    if (match === null) {
      yield { line: startLine, cells: cells.length < MOST_CELLS ? null : cells }
      cells = []
      place = endOfLine(text, place)
      line++
      continue
    }
    const [whole, quoted, plain = '', end = ''] = match
    place += whole.length
    line += countLineEnds(whole)
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    if (end === separator) continue
    if (cells.some((text) => text !== '')) yield { line: startLine, cells }
    cells = []
  }
}

export const countLineEnds = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0

function endOfLine(text: string, from: number): number {
  const lineEnd = /\r\n|\r|\n/g
  lineEnd.lastIndex = from
  return lineEnd.exec(text) === null ? text.length : lineEnd.lastIndex
}
