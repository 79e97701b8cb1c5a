import { setImmediate as turn } from 'node:timers/promises'
import { type ImportProblem, LIMITS, listedNumberReasonSchema } from '@vaani/contracts'
import { type Columns, findColumns } from './rules/find-columns.ts'
import { FORMULA } from './rules/formula.ts'
import { countLineEnds, parseCsv } from './rules/parse-csv.ts'
import { readNumber } from './rules/read-number.ts'

export interface ReadFile {
  /** Each number once, with the reason of its first line. */
  readonly numbers: readonly { phoneNumber: string; reason: string | null }[]
  /** Lines with a number that an earlier line has. */
  readonly duplicates: number
  readonly errors: readonly { line: number; problem: ImportProblem }[]
}

/** Records that are read before other requests have their turn: some 10 ms. */
const RECORDS_AT_ONCE = 500

/** Reads the numbers of a CSV file. Returns null if it has too many lines. */
export async function readNumbers(csv: string): Promise<ReadFile | null> {
  if (countLineEnds(csv.trimEnd()) >= LIMITS.doNotCallImportLines) return null
  const numbers = new Map<string, string | null>()
  const errors: { line: number; problem: ImportProblem }[] = []
  let columns: Columns | undefined
  let read = 0
  let right = 0
  for (const { line, cells } of parseCsv(csv.replace(/^\uFEFF/, ''))) {
    if (++read % RECORDS_AT_ONCE === 0) await turn()
    if (cells === null) {
      errors.push({ line, problem: 'wrong_quotes' })
      continue
    }
    const isFirst = columns === undefined
    columns ??= findColumns(cells)
    if (isFirst && columns.hasHeader) continue
    const found = readRecord(cells, columns)
    if ('problem' in found) errors.push({ line, problem: found.problem })
    else {
      right++
      if (!numbers.has(found.phoneNumber)) numbers.set(found.phoneNumber, found.reason)
    }
  }
  return {
    numbers: [...numbers].map(([phoneNumber, reason]) => ({ phoneNumber, reason })),
    duplicates: right - numbers.size,
    errors,
  }
}

function readRecord(
  cells: readonly string[],
  columns: Columns,
): { phoneNumber: string; reason: string | null } | { problem: ImportProblem } {
  const number = readNumber(cells[columns.number] ?? '')
  if ('problem' in number) return number
  const reason = readReason(columns.reason === undefined ? '' : (cells[columns.reason] ?? ''))
  return reason === undefined ? { problem: 'long_reason' } : { ...number, reason }
}

/** Returns undefined for a reason that is too long, and null for none. The apostrophe of an exported one is not part of it. */
function readReason(cell: string): string | null | undefined {
  const line = cell.replaceAll(/\p{Cc}+/gu, ' ').trim()
  if (line === '') return null
  const reason = line.startsWith("'") && FORMULA.test(line.slice(1)) ? line.slice(1) : line
  return listedNumberReasonSchema.safeParse(reason).success ? reason : undefined
}
