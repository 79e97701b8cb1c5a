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
  function take(part: Uint8Array): void {
    bytes += part.length
    if (bytes > maxBytes()) throw refuse(number, 'line')
    parts.push(part)
  }
  function join(): Buffer {
    const line = Buffer.concat(parts, bytes)
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (end > from) take(chunk.subarray(from, end))
      if (bytes > 0) {
        const line = join()
        if (!isBlank(line)) yield { line, number }
      }
      if (++number > maxLines) throw refuse(number, 'lines')
      from = end + 1
    }
    // The source may reuse its memory.
    if (from < chunk.length) take(Buffer.from(chunk.subarray(from)))
  }
  const last = join()
  if (!isBlank(last)) yield { line: last, number }
}

const isBlank = (line: Buffer): boolean =>
  line
    .subarray(startsWithMark(line) ? BYTE_ORDER_MARK.length : 0)
    .every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

const startsWithMark = (line: Buffer): boolean => BYTE_ORDER_MARK.every((byte, at) => line[at] === byte)
