/** Parses the values of a metric's series from the exposition text, keyed by their labels as written. */
export function seriesOf(text: string, name: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const line of text.split('\n')) {
    const match = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (match?.[1] === name) found[match[2] ?? ''] = Number(match[3])
  }
  return found
}
