const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i
/** A text part as clients send it. Any other is left to a parser. */
const TEXT_PART = /^content-disposition: form-data; name="([^"\\%]*)"$/i
const BETWEEN_LINES = '\r\n'
/** Enough for the texts of a submission. */
export const MOST_EARLY_BYTES = 2048
/** A form that comes in smaller pieces is left to a parser at once. */
export const MOST_EARLY_CHUNKS = 8

/** Returns the boundary of a form; null for any other type. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/** What the beginning of a form says: whom it is about, that more of it may say so, or that only a parser can. */
export type EarlySubject = { readonly externalId: string } | 'unfinished' | 'unknown'

/**
 * Reads the `external_id` of a form that begins with it, or with other texts. Most do, and a parser costs twice as much as all
 * else that the gateway does for a small request.
 */
export function readEarlySubject(boundary: string, chunks: readonly Buffer[]): EarlySubject {
  const beginning = join(chunks)
  // One character a byte, so that places in the text are places in the beginning.
  const text = beginning.toString('latin1', 0, MOST_EARLY_BYTES)
  const isLong = text.length === MOST_EARLY_BYTES || chunks.length === MOST_EARLY_CHUNKS
  const unfinished = isLong ? 'unknown' : 'unfinished'
  const delimiter = `--${boundary}${BETWEEN_LINES}`
  let at = 0
  while (text.startsWith(delimiter, at)) {
    const headersStart = at + delimiter.length
    const headersEnd = text.indexOf(BETWEEN_LINES + BETWEEN_LINES, headersStart)
    if (headersEnd < 0) return unfinished
    const name = TEXT_PART.exec(text.slice(headersStart, headersEnd))?.[1]
    if (name === undefined) return 'unknown'
    const valueStart = headersEnd + 2 * BETWEEN_LINES.length
    const valueEnd = text.indexOf(`${BETWEEN_LINES}--${boundary}`, valueStart)
    if (valueEnd < 0) return unfinished
    if (name === 'external_id') return { externalId: beginning.toString('utf8', valueStart, valueEnd) }
    at = valueEnd + BETWEEN_LINES.length
  }
  return delimiter.startsWith(text.slice(at)) ? unfinished : 'unknown'
}

function join(chunks: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0), ...rest] = chunks
  if (rest.length === 0) return first
  const bytes = rest.reduce((sum, chunk) => sum + chunk.length, first.length)
  return Buffer.concat(chunks, Math.min(bytes, MOST_EARLY_BYTES))
}
