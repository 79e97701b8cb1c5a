import { type CheckResult, notRun } from '../check.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import type { PageText } from './page-reader.ts'

const MODEL = 'tesseract-eng-best-int/1'
/** Of the letters of a word, how many may differ: print is read with errors. */
const TOLERANCE = 0.2

/**
 * Whether the names and the number of the machine-readable zone are printed on the page as well. The zone's names have no
 * check digit, so this is what notices one that was misread, or changed.
 */
export function checkPrintedFields(page: PageText, mrz: Mrz | null): CheckResult {
  if (mrz === null) return { ...notRun('printed_fields', 'nothing_to_compare'), model: MODEL }
  const words = page.text
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')
  const wanted = [mrz.surname, mrz.givenNames, mrz.documentNumber].flatMap((field) => field?.split(' ') ?? [])
  const missing = wanted.filter((word) => !words.some((other) => isAlike(word, other)))
  const share = wanted.length === 0 ? 0 : 1 - missing.length / wanted.length
  const isPrinted = missing.length === 0
  return {
    check: 'printed_fields',
    outcome: isPrinted ? 'passed' : 'warning',
    code: isPrinted ? 'names_match' : 'mrz_name_mismatch',
    score: Math.round(share * page.confidence * 1000) / 1000,
    evidence: {
      words_found: wanted.length - missing.length,
      words: wanted.length,
      confidence: Math.round(page.confidence * 1000) / 1000,
    },
    model: MODEL,
  }
}

function isAlike(word: string, other: string): boolean {
  const tolerated = Math.floor(word.length * TOLERANCE)
  return Math.abs(word.length - other.length) <= tolerated && distance(word, other) <= tolerated
}

/** How many letters must be changed, added or taken out (Levenshtein, 1966). */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++)
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row[other.length] ?? 0
}
