/** A response as received over the wire. */
export interface Answer {
  status: number
  /** Lower-case names, each with its values in order. */
  headers: ReadonlyMap<string, readonly string[]>
  body: Buffer
}

export const headerOf = ({ headers }: Answer, name: string): string | undefined =>
  headers.get(name)?.join(', ')

/** The bytes received cannot begin a valid response. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

const END_OF_HEAD = '\r\n\r\n'
const END_OF_LINE = '\r\n'
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([\x20-\x7e\x80-\xff]*)$/
const CHUNK_SIZE = /^[0-9a-f]{1,8}$/i

/**
 * Parses the first response in the bytes, and returns it with its length in bytes; null if it is still incomplete. Strict, so
 * that every proxy and client would read the same response.
 *
 * @throws NoAnswerError
 */
export function parseAnswer(
  bytes: Buffer,
  { isHead, maxBodyBytes }: { isHead: boolean; maxBodyBytes: number },
): { answer: Answer; length: number; isWhole: boolean } | null {
  const headEnd = bytes.indexOf(END_OF_HEAD)
  if (headEnd === -1) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split(END_OF_LINE)
  const status = Number(STATUS_LINE.exec(first)?.[1])
  if (Number.isNaN(status)) throw new NoAnswerError(`Malformed status line: ${first.slice(0, 80)}`)
  const headers = readFields(lines)
  const start = headEnd + END_OF_HEAD.length
  const answered = (body: Buffer, end: number, isWhole = true) => ({
    answer: { status, headers, body },
    length: end,
    isWhole,
  })
  if (status < 200 || status === 204 || status === 304 || isHead) return answered(Buffer.alloc(0), start)
  if (headers.get('transfer-encoding')?.join() === 'chunked') {
    const read = readChunks(bytes, start, maxBodyBytes)
    return read && answered(read.body, read.end, read.isWhole)
  }
  const length = headers.get('content-length')
  if (length?.length !== 1 || !/^\d+$/.test(length[0] ?? ''))
    throw new NoAnswerError('A response without content-length')
  const end = start + Number(length[0])
  if (bytes.length >= end) return answered(Buffer.from(bytes.subarray(start, end)), end)
  if (bytes.length - start > maxBodyBytes)
    return answered(Buffer.from(bytes.subarray(start)), bytes.length, false)
  return null
}

function readFields(lines: readonly string[]): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new NoAnswerError(`Malformed header field: ${line.slice(0, 80)}`)
    fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), value])
  }
  return fields
}

function readChunks(
  bytes: Buffer,
  start: number,
  maxBodyBytes: number,
): { body: Buffer; end: number; isWhole: boolean } | null {
  const chunks: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf(END_OF_LINE, at)
    if (lineEnd === -1) return null
    const size = bytes.toString('latin1', at, lineEnd)
    if (!CHUNK_SIZE.test(size)) throw new NoAnswerError(`Malformed chunk size: ${size.slice(0, 80)}`)
    const from = lineEnd + END_OF_LINE.length
    const to = from + Number.parseInt(size, 16)
    if (bytes.length < to + END_OF_LINE.length)
      return bytes.length - start > maxBodyBytes
        ? { body: Buffer.concat(chunks), end: bytes.length, isWhole: false }
        : null
    if (to === from) return { body: Buffer.concat(chunks), end: to + END_OF_LINE.length, isWhole: true }
    chunks.push(bytes.subarray(from, to))
    at = to + END_OF_LINE.length
  }
}
