/** Returns the text of a value in one cell. Replaces control characters, with which a name could move the reader's cursor. */
export const cellText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Cc}/gu, '\ufffd')

const isThere = (value: unknown): boolean => value !== undefined && value !== null

/** Returns a resource as rows of name and text. Nested names are joined by dots, and arrays have a row for each entry. */
export function rowsOf(value: object, prefix = ''): [name: string, text: string][] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]): [string, string][] => {
    const name = prefix + cellText(key)
    if (!isThere(entry)) return []
    if (Array.isArray(entry)) return entry.map((one, index) => [index === 0 ? name : '', cellText(one)])
    if (typeof entry === 'object' && entry !== null) return rowsOf(entry, `${name}.`)
    return [[name, cellText(entry)]]
  })
}

/** Returns the width of the widest cell of each column. */
export function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  )
}

/** Returns a resource as lines of aligned names and texts. */
export function linesOf(value: object): string[] {
  const rows = rowsOf(value)
  const [width = 0] = widthsOf(rows)
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`)
}
