/** Returns the minimum number of words or phonemes to change, add or remove to make one list of the other (Levenshtein distance). */
export function editDistance(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [index, item] of one.entries()) {
    const next = [index + 1]
    for (const [at, candidate] of other.entries())
      next.push(
        Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (item === candidate ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
