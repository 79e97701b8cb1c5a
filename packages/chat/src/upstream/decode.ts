import { pipeline, type Readable, type Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/**
 * Decodes what some proxies compress without being asked, as it is read: nothing is decoded ahead of the reader, who bounds the
 * bytes. A body in another coding is left as it is.
 */
export function decode(body: Readable, encoding: string | string[] | undefined): AsyncIterable<Uint8Array> {
  const coding = String(encoding ?? '')
    .trim()
    .toLowerCase()
  if (coding === 'deflate') return inflate(body)
  const create = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined
  return create === undefined ? body : through(body, create())
}

/** The reader of the decoded stream sees every error. */
const through = (source: AsyncIterable<Uint8Array>, decoder: Transform): AsyncIterable<Uint8Array> =>
  pipeline(source, decoder, () => undefined)

/** Low four bits of the first byte of zlib (RFC 1950). */
const ZLIB = 8

/** HTTP's deflate is zlib's format (RFC 9110, section 8.4.1.2), but some servers send the bare data. */
async function* inflate(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  const parts: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  const { value: first, done } = await parts.next()
  if (done === true) return
  async function* all() {
    yield first
    yield* { [Symbol.asyncIterator]: () => parts }
  }
  const isZlib = ((first[0] ?? 0) & 0x0f) === ZLIB
  yield* through(all(), isZlib ? createInflate() : createInflateRaw())
}
