import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A text, and the twins that may be said for it: what a speaker says, spelled out. */
export interface SpokenCase {
  language: string
  class: string
  written: string
  twins: readonly string[]
}

type Table = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>

/** The cases that the unit tests hold together with the rules. */
const OWN = path.resolve(import.meta.dirname, '../../../speech/src/text/test/spoken-twins.json')

/**
 * Reads cases: a table like ours, a list of `{ class, language, text, want }`, or, with `language`, lines of `written~spoken` as in
 * the tests of NVIDIA/NeMo-text-processing, whose class is the name of the file.
 */
export function readCases(file = OWN, language?: string): SpokenCase[] {
  const source = readFileSync(file, 'utf8')
  if (!file.endsWith('.json')) {
    if (language === undefined) throw new Error('A file of lines needs --language')
    return readLines(source, language, path.basename(file, '.txt').replace(/^test_cases_/, ''))
  }
  const parsed: Table | readonly { class: string; language: string; text: string; want: string }[] =
    JSON.parse(source)
  if (isList(parsed))
    return parsed
      .filter(({ want }) => isWords(want))
      .map((one) => ({ language: one.language, class: one.class, written: one.text, twins: [one.want] }))
  return Object.entries(parsed).flatMap(([tag, classes]) =>
    Object.entries(classes).flatMap(([name, rows]) =>
      Object.entries(rows).map(([written, twin]) => ({ language: tag, class: name, written, twins: [twin] })),
    ),
  )
}

const isList = <Row>(parsed: Table | readonly Row[]): parsed is readonly Row[] => Array.isArray(parsed)

/** What is wanted may also be described, by a length of time, an excerpt or a kind of reading. */
const isWords = (want: string): boolean => !/…|\d s\b|^(?:digits|number|one word)\b/.test(want)

/** Some languages of NeMo have the spoken text first. Lines without digits or with digits in the twin have no twin. */
const readLines = (source: string, language: string, name: string): SpokenCase[] =>
  source.split('\n').flatMap((line) => {
    const [first = '', ...others] = line.split('~').map((part) => part.trim())
    const isSwapped = !/\p{N}/u.test(first) && others.length === 1 && /\p{N}/u.test(others[0] ?? '')
    const [written = '', ...twins] = isSwapped ? [...others, first] : [first, ...others]
    const isCase = /[^\p{L}\p{M}\s]/u.test(written) && twins.length > 0
    return isCase && twins.every((twin) => /\p{L}/u.test(twin) && !/\p{N}/u.test(twin))
      ? [{ language, class: name, written, twins }]
      : []
  })
