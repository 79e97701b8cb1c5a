import { ALPHABET } from './glyphs.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ<'
const DIGITS = '0123456789'
/** Character classes of positions in a line: a letter, anything, a digit, a digit or filler, a sex. */
const SETS: Readonly<Record<string, string>> = {
  L: LETTERS,
  A: ALPHABET,
  N: DIGITS,
  M: `${DIGITS}<`,
  S: 'MFX<',
}
/** Character classes of each line, by number of lines (ICAO Doc 9303, parts 4 and 5). */
const GRAMMARS: Readonly<Record<number, readonly string[]>> = {
  2: ['L'.repeat(44), `${'A'.repeat(9)}NLLL${'N'.repeat(7)}S${'N'.repeat(7)}${'A'.repeat(14)}MN`],
  3: [
    `LLLLL${'A'.repeat(9)}M${'A'.repeat(15)}`,
    `${'N'.repeat(7)}S${'N'.repeat(7)}LLL${'A'.repeat(11)}N`,
    'L'.repeat(30),
  ],
}
/** Line, start and end of each field with a check digit; the digit stands at the end. By number of lines. */
export const REPAIRS: Readonly<
  Record<number, readonly (readonly [line: number, from: number, to: number])[]>
> = {
  2: [
    [1, 0, 9],
    [1, 13, 19],
    [1, 21, 27],
    [1, 28, 42],
  ],
  3: [
    [0, 5, 14],
    [1, 0, 6],
    [1, 8, 14],
  ],
}

/** Returns the characters allowed at a position of a line, in a zone with `lines` lines. */
export const charactersAt = (lines: number, line: number, place: number): string =>
  SETS[GRAMMARS[lines]?.[line]?.[place] ?? 'A'] ?? ALPHABET

/** Returns the likeliest character of a cell among those allowed. */
export function likeliest(cell: Float32Array | undefined, set = ALPHABET): string {
  return [...set].reduce((best, character) =>
    likelihood(cell, character) > likelihood(cell, best) ? character : best,
  )
}
export const likelihood = (cell: Float32Array | undefined, character: string): number =>
  cell?.[ALPHABET.indexOf(character)] ?? 0
