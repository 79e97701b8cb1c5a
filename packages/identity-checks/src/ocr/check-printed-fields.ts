import { type CheckResult, notRun, toScore } from '../check.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import { distanceWithin } from './edit-distance.ts'
import { findPrinted, wordsOf } from './find-printed.ts'
import type { PageLayout, PageText } from './page-reader.ts'
import { findOtherName } from './other-names.ts'
import { findOtherDate } from './printed-dates.ts'

const MODEL = 'tesseract-eng-best-int/4'
/** Share of a word's letters that may differ, because OCR makes errors. */
const TOLERANCE = 0.2

/** A shorter word must stand alone, because it would be found within others. */
const SHORT = 4
/**
 * Matches a line of the machine-readable zone, by fillers or a run longer than any printed word. The zone must not
 * match itself.
 */
const ZONE = /<.*<|\S{20}/

/** Result without a machine-readable zone, when reading the page is pointless. */
export const nothingToCompare = notRun('printed_fields', 'nothing_to_compare')

/** What a zone or a barcode says. */
export type MachineRead = Pick<
  Mrz,
  'surname' | 'givenNames' | 'documentNumber' | 'dateOfBirth' | 'expiryDate'
>

/**
 * Checks whether the names and the number of the machine-readable zone, or of the barcode, are printed on the page as well, and no other
 * name, birth or later expiry is. The names have no check digit, so only this check detects one that was misread or changed. It
 * accuses only where another value was read with certainty: what was not found may not have been legible.
 */
export function checkPrintedFields(page: PageText, read: MachineRead | null): CheckResult {
  if (read === null) return nothingToCompare
  const text = withoutZone(page.text)
  const lines = text.split('\n').map(wordsOf)
  const fields = {
    surname: read.surname?.split(' ') ?? [],
    given_names: read.givenNames?.split(' ') ?? [],
    document_number: read.documentNumber?.split(' ') ?? [],
  }
  const wanted = Object.values(fields).flat()
  const missing = wanted.filter((word) => !lines.some((line) => isOnLine(word, line)))
  const share = wanted.length === 0 ? 0 : 1 - missing.length / wanted.length
  const sureText = withoutZone(page.sure)
  const sure = new Set(sureText.match(/[\p{L}\p{N}]+/gu))
  const otherName = findOtherName({ lines: text.split('\n'), sure }, read, missing)
  const otherDate = findOtherDate({ text, sure: sureText }, read)
  const evidence = {
    words_found: wanted.length - missing.length,
    words: wanted.length,
    other_name: otherName ?? 'none',
    other_date: otherDate ?? 'none',
    confidence: Math.round(page.confidence * 1000) / 1000,
  }
  const result = {
    check: 'printed_fields',
    score: toScore(share * page.confidence),
    evidence,
    ...(page.layout !== undefined && { places: findPrinted(outsideZone(page.layout), fields, isOnLine) }),
    model: page.model ?? MODEL,
  } as const
  if (otherName !== null) return { ...result, outcome: 'warning', code: 'mrz_name_mismatch' }
  if (otherDate !== null) return { ...result, outcome: 'warning', code: 'printed_date_mismatch' }
  // The zone says the same, and OCR reads little on patterned backgrounds: what it cannot read contradicts nothing.
  return missing.length === 0
    ? { ...result, outcome: 'passed', code: 'names_match' }
    : { ...result, outcome: 'not_run', code: 'print_not_read' }
}

const withoutZone = (text: string): string =>
  text
    .toUpperCase()
    .split('\n')
    .filter((line) => !ZONE.test(line))
    .join('\n')

const outsideZone = ({ turn, lines }: PageLayout): PageLayout => ({
  turn,
  lines: lines.filter((words) => withoutZone(words.map(({ text }) => text).join(' ')) !== ''),
})

/** Letters and digits that OCR confuses. */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  J: '1',
  S: '5',
  B: '8',
  Z: '2',
  G: '6',
}
const fold = (text: string): string => [...text].map((letter) => LOOK_ALIKE[letter] ?? letter).join('')

/** Returns whether a word is on a line, where OCR may have split it or joined it with its neighbours. */
function isOnLine(word: string, line: readonly string[]): boolean {
  if (word.length < SHORT) return line.includes(word)
  return distanceWithin(fold(word), fold(line.join(''))) <= Math.floor(word.length * TOLERANCE)
}
