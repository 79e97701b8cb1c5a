import { type CheckResult, notRun, toScore } from '../check.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import { distanceWithin } from './edit-distance.ts'
import type { PageText } from './page-reader.ts'
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

/**
 * Checks whether the names and the number of the machine-readable zone are printed on the page as well, and that no other birth
 * or later expiry is. The zone's names have no check digit, so only this check detects one that was misread or changed.
 */
export function checkPrintedFields(page: PageText, mrz: Mrz | null): CheckResult {
  if (mrz === null) return nothingToCompare
  const text = withoutZone(page.text)
  const lines = text.split('\n').map((line) => line.split(/[^A-Z0-9]+/).filter((word) => word !== ''))
  const wanted = [mrz.surname, mrz.givenNames, mrz.documentNumber].flatMap((field) => field?.split(' ') ?? [])
  const missing = wanted.filter((word) => !lines.some((line) => isOnLine(word, line)))
  const share = wanted.length === 0 ? 0 : 1 - missing.length / wanted.length
  const isPrinted = missing.length === 0
  const otherDate = findOtherDate({ text, sure: withoutZone(page.sure) }, mrz)
  return {
    check: 'printed_fields',
    outcome: isPrinted && otherDate === null ? 'passed' : 'warning',
    code: !isPrinted ? 'mrz_name_mismatch' : otherDate === null ? 'names_match' : 'printed_date_mismatch',
    score: toScore(share * page.confidence),
    evidence: {
      words_found: wanted.length - missing.length,
      words: wanted.length,
      other_date: otherDate ?? 'none',
      confidence: Math.round(page.confidence * 1000) / 1000,
    },
    model: MODEL,
  }
}

const withoutZone = (text: string): string =>
  text
    .toUpperCase()
    .split('\n')
    .filter((line) => !ZONE.test(line))
    .join('\n')

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
