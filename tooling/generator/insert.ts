/** A place in a file: the text goes before the only line that begins with `before`, leading spaces aside. */
export interface Lines {
  readonly before: string
  readonly text: string
}

/** @throws Error unless the file has exactly one such line */
export function insertBefore(file: string, { before, text }: Lines): string {
  const lines = file.split('\n')
  const places = lines.flatMap((line, index) => (line.trimStart().startsWith(before) ? [index] : []))
  const [place] = places
  if (place === undefined || places.length > 1)
    throw new Error(
      `${places.length} lines begin with ${before}; tooling/generator/insertions.ts names the file`,
    )
  return lines.toSpliced(place, 0, text).join('\n')
}

const moduleOf = (line: string): string => /^(?:import|export) .* from '(\.\/[^']+)'$/.exec(line)?.[1] ?? ''

/** Adds an import, or an export from another file, among those of the file in the order of their paths. */
export function addImport(file: string, line: string): string {
  const lines = file.split('\n')
  const later = lines.findIndex((other) => moduleOf(other) > moduleOf(line))
  const place = later === -1 ? lines.findLastIndex((other) => moduleOf(other) !== '') + 1 : later
  return lines.toSpliced(place, 0, line).join('\n')
}
