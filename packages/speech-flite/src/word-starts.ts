import type { Segment } from './segments.ts'

/**
 * Finds the samples with which the words of a phrase begin. Flite prints the sounds of a phrase and not which word they belong to, so its sounds
 * are aligned with those of the words said alone, which differ little: `the` before a vowel, or `st` for a saint and a street.
 *
 * @param said - the sounds of the phrase, without silence
 * @param alone - the phones of each word; none if it has no sound
 * @returns undefined for a word without a sound
 */
export function findWordStarts(
  said: readonly Segment[],
  alone: readonly (readonly string[])[],
): (number | undefined)[] {
  const phones = alone.flat()
  const aligned = align(
    phones,
    said.map(({ phone }) => phone),
  )
  const starts: (number | undefined)[] = []
  let from = 0
  for (const { length } of alone) {
    const place = aligned[from]
    starts.push(
      length === 0 || place === undefined ? undefined : said[Math.min(place, said.length - 1)]?.start,
    )
    from += length
  }
  return starts
}

/** Returns for each phone of one list its place in the other, by the fewest changes. */
function align(phones: readonly string[], others: readonly string[]): number[] {
  const width = others.length + 1
  const costs = new Uint32Array((phones.length + 1) * width)
  const costAt = (row: number, column: number): number => costs[row * width + column] ?? Infinity
  for (let row = 0; row <= phones.length; row++)
    for (let column = 0; column < width; column++)
      costs[row * width + column] =
        row === 0 || column === 0
          ? row + column
          : Math.min(
              costAt(row - 1, column) + 1,
              costAt(row, column - 1) + 1,
              costAt(row - 1, column - 1) + changeOf(phones[row - 1], others[column - 1]),
            )
  const places: number[] = []
  let column = others.length
  for (let row = phones.length; row > 0;) {
    const change = changeOf(phones[row - 1], others[column - 1])
    if (column > 0 && costAt(row, column) === costAt(row - 1, column - 1) + change) {
      places.unshift(--column)
      row--
    } else if (column > 0 && costAt(row, column) === costAt(row, column - 1) + 1) column--
    else {
      places.unshift(column)
      row--
    }
  }
  return places
}

const changeOf = (phone: string | undefined, other: string | undefined): number => (phone === other ? 0 : 1)
