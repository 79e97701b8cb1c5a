const NEWLINE = 0x0a
/** In UTF-8. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

interface LineLimits {
  /** Of a line; may change from one to the next. */
  maxBytes: () => number
  /** With blank ones. Default: no limit. */
  maxLines?: number
  /** Makes the error for a line that is too long, or for too many lines, by its number. */
  refuse: (number: number, problem: 'line' | 'lines') => Error
}

/**
 * Splits bytes at newlines, and leaves out lines of white space, even after a byte order mark.
 *
 * @throws the error that `refuse` makes
 */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, maxLines = Infinity, refuse }: LineLimits,
): AsyncGenerator<{ line: Buffer; number: number }> {
  let parts: Uint8Array[] = []
  let bytes = 0
  let number = 1
  /** Whether the line is white space so far. Looked at part by part, so that no long line is ever looked through at once. */
  let isBlank = true
  /** Bytes of a byte order mark with which the line begins. */
  let markBytes = 0
  function take(part: Uint8Array): void {
    const mark = markBytes === bytes ? BYTE_ORDER_MARK.slice(markBytes) : []
    bytes += part.length
    if (bytes > maxBytes()) throw refuse(number, 'line')
    const differsAt = mark.findIndex((byte, at) => byte !== part[at])
    const more = differsAt === -1 ? mark.length : differsAt
    markBytes += more
    isBlank &&= isAllSpace(part.subarray(more))
    parts.push(part)
  }
  /** Returns the line, unless it is blank, and begins the next one. */
  function join(): Buffer | undefined {
    const isMarkWhole = markBytes === 0 || markBytes === BYTE_ORDER_MARK.length
    const line = isBlank && isMarkWhole ? undefined : Buffer.concat(parts, bytes)
    parts = []
    bytes = 0
    isBlank = true
    markBytes = 0
    return line
  }
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (end > from) take(chunk.subarray(from, end))
      const line = bytes > 0 ? join() : undefined
      if (line !== undefined) yield { line, number }
      if (++number > maxLines) throw refuse(number, 'lines')
      from = end + 1
    }
    // The source may reuse its memory.
    if (from < chunk.length) take(Buffer.from(chunk.subarray(from)))
  }
  const last = join()
  if (last !== undefined) yield { line: last, number }
}

/** By index, because an iterator takes several times as long. */
function isAllSpace(part: Uint8Array): boolean {
  for (let index = 0; index < part.length; index++) {
    const byte = part[index]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
