/** A request as sent over the wire. */
export interface WireRequest {
  method: string
  target: string
  /** Header fields in order, without the framing headers. */
  fields: readonly (readonly [name: string, value: string])[]
  body: Buffer | null
  framing: 'length' | 'chunked'
  /** Byte offsets at which one write ends and the next begins. */
  cuts: readonly number[]
  /** Whether a success may go on for minutes. */
  isStreamed: boolean
}

const CHUNK_BYTES = 1000

export function toBytes({ method, target, fields, body, framing }: WireRequest): Buffer {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  const length =
    body === null
      ? ''
      : framing === 'chunked'
        ? 'transfer-encoding: chunked\r\n'
        : `content-length: ${body.length}\r\n`
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}${length}\r\n`, 'latin1')
  if (body === null) return head
  return Buffer.concat([head, ...(framing === 'chunked' ? toChunks(body) : [body])])
}

function toChunks(body: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    const chunk = body.subarray(at, at + CHUNK_BYTES)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

/** Splits the bytes into the pieces to write. */
export function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...new Set(cuts)].filter((cut) => cut > 0 && cut < bytes.length).toSorted((a, b) => a - b)
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
}

const MAX_SHOWN_BYTES = 4000
const isPlain = (byte: number) => byte >= 0x20 && byte < 0x7f && !`'\\%`.includes(String.fromCharCode(byte))

/** Builds a shell command that sends the bytes, truncated if they are too long to read. */
export function toShell(bytes: Buffer, url: string): string {
  const { hostname, port } = new URL(url)
  const shown = bytes.subarray(0, MAX_SHOWN_BYTES)
  const escaped = Array.from(shown, (byte) =>
    isPlain(byte) ? String.fromCharCode(byte) : String.raw`\x${byte.toString(16).padStart(2, '0')}`,
  )
  const text = escaped.join('').replaceAll(String.raw`\x0d\x0a`, String.raw`\r\n`)
  const rest = bytes.length - shown.length
  return `printf '${text}' | nc -q 1 ${hostname} ${port}${rest > 0 ? ` # and ${rest} more bytes` : ''}`
}
