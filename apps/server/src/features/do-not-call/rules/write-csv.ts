import type { ListedNumber } from '@vaani/contracts'
import { FORMULA } from './formula.ts'

const COLUMNS = ['phone_number', 'reason', 'source', 'created_at'] as const

const toLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

/** First line of an exported list, after the mark by which Excel recognizes UTF-8. */
export const CSV_HEADER = `\uFEFF${toLine(COLUMNS)}`

/** Numbers have only digits after their plus sign, so a spreadsheet reads them as numbers and not as formulas. */
export const toCsvLine = (row: Pick<ListedNumber, (typeof COLUMNS)[number]>): string =>
  toLine([row.phone_number, quote(row.reason ?? ''), row.source, row.created_at])

function quote(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
