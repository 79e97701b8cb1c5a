import { ALPHABET } from './glyphs.ts'
import type { MrzFormat } from './parse-mrz.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<'
const DIGITS = '0123456789'
/** Letters that the zones of passports, cards and visas start with (ICAO Doc 9303, parts 4 to 7). */
const STARTS = 'PIACV'
/** Character classes of positions in a line: a start, a letter, anything, a digit, a digit or filler, a sex, and single letters. */
const SETS: Readonly<Record<string, string>> = {
  T: STARTS,
  L: LETTERS,
  A: ALPHABET,
  N: DIGITS,
  M: `${DIGITS}<`,
  S: 'MFX<',
  i: 'I',
  d: 'D',
  f: 'F',
  r: 'R',
  a: 'A',
}
const names = (length: number) => `T${'L'.repeat(length - 1)}`
/** The day and the month of a birth may be unknown. */
const BIRTH = 'NNMMMMN'
const EXPIRY = 'N'.repeat(7)
/** A card may not expire. */
const EXPIRY_OF_CARD = 'M'.repeat(7)
const secondOfTwo = (end: string) => `${'A'.repeat(9)}NLLL${BIRTH}S${EXPIRY}${end}`
/** A number that goes on in the optional data has a filler in place of its digit. */
const secondOfCard = `${'A'.repeat(9)}MLLL${BIRTH}S${EXPIRY_OF_CARD}${'A'.repeat(7)}N`
/** Character classes of each line (ICAO Doc 9303, parts 4 to 7; `parse-mrz.ts` has the source of the French card). */
const GRAMMARS: Readonly<Record<MrzFormat, readonly string[]>> = {
  TD1: [
    `TLLLL${'A'.repeat(9)}M${'A'.repeat(15)}`,
    `${BIRTH}S${EXPIRY_OF_CARD}LLL${'A'.repeat(11)}N`,
    'L'.repeat(30),
  ],
  TD2: [names(36), secondOfCard],
  TD3: [names(44), secondOfTwo(`${'A'.repeat(14)}MN`)],
  'MRV-A': [names(44), secondOfTwo('A'.repeat(16))],
  'MRV-B': [names(36), secondOfTwo('A'.repeat(8))],
  // Departments of Corsica and overseas have letters.
  'FRA-ID': [`idfra${'L'.repeat(25)}${'A'.repeat(6)}`, `NNNNAAA${'N'.repeat(6)}${'L'.repeat(14)}${BIRTH}SN`],
}

/** Pairs of a letter and a digit that look alike; the position decides which one it is. */
const ALIKE = ['O0', 'I1', 'Z2', 'S5', 'B8', 'G6']

/** A character allowed at a position: its place in the alphabet, and that of one that looks alike and is not allowed there. */
export interface Choice {
  readonly character: string
  readonly index: number
  readonly alike: number
}
const toChoices = (set: string): readonly Choice[] =>
  Array.from(set, (character) => {
    const pair = ALIKE.find((both) => both.includes(character)) ?? ''
    const other = [...pair].find((one) => one !== character && !set.includes(one))
    return { character, index: ALPHABET.indexOf(character), alike: other ? ALPHABET.indexOf(other) : -1 }
  })
const CHOICES = new Map(Object.entries(SETS).map(([name, set]) => [name, toChoices(set)]))
/** The choices where any character may stand. */
export const ANYTHING = toChoices(ALPHABET)

/** Returns the characters allowed at a position of a line. */
export const choicesAt = (format: MrzFormat, line: number, place: number): readonly Choice[] =>
  CHOICES.get(GRAMMARS[format][line]?.[place] ?? 'A') ?? ANYTHING

/** A number of lines and their length, and the formats that have it. */
export interface Shape {
  readonly length: number
  readonly document: MrzFormat
  /** Visas have the loosest grammar of their shape. */
  readonly loosest: MrzFormat
  readonly visa: MrzFormat | null
}
const CARD: Shape = { length: 30, document: 'TD1', loosest: 'TD1', visa: null }
const LONG: Shape = { length: 44, document: 'TD3', loosest: 'MRV-A', visa: 'MRV-A' }
const SHORT: Shape = { length: 36, document: 'TD2', loosest: 'MRV-B', visa: 'MRV-B' }
const FRENCH: Shape = { length: 36, document: 'FRA-ID', loosest: 'FRA-ID', visa: null }
/** Width of a line relative to the distance of lines, between those of 36 and 44 characters. */
const BETWEEN = 16

/** Returns the possible shapes of a zone, the likeliest first. `proportion` is the width of a line by the distance of lines. */
export function shapesOf(lines: number, proportion: number): readonly Shape[] {
  if (lines === 3) return [CARD]
  return proportion > BETWEEN ? [LONG, SHORT, FRENCH] : [SHORT, FRENCH, LONG]
}

/** Returns how likely a cell shows this character, or one that looks alike and cannot stand there. */
export const likelihoodOf = (cell: Float32Array, { index, alike }: Choice): number =>
  (cell[index] ?? 0) + (alike < 0 ? 0 : (cell[alike] ?? 0))

/** Returns the likeliest character of a cell among those allowed, and its likelihood. */
export function likeliest(
  cell: Float32Array,
  choices: readonly Choice[],
): { character: string; likelihood: number } {
  let best = { character: '<', likelihood: -1 }
  for (const choice of choices) {
    const likelihood = likelihoodOf(cell, choice)
    if (likelihood > best.likelihood) best = { character: choice.character, likelihood }
  }
  return best
}
