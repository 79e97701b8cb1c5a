/** Returns the minimum number of letters to change, add or remove to make one text of the other. */
export const editDistance = (one: string, other: string): number =>
  lastRow(one, other, (column) => column).at(-1) ?? 0

/** Returns the minimum number of letters to change, add or remove to find a word within a text (Sellers, 1980). */
export const distanceWithin = (word: string, text: string): number =>
  // A match may start anywhere, so the first row is 0, and end anywhere, so the minimum of the last row counts.
  Math.min(...lastRow(word, text, () => 0))

function lastRow(word: string, text: string, first: (column: number) => number): number[] {
  let row = Array.from({ length: text.length + 1 }, (_, column) => first(column))
  for (let i = 1; i <= word.length; i++) {
    const next = [i]
    for (let j = 1; j <= text.length; j++)
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + (word[i - 1] === text[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row
}
