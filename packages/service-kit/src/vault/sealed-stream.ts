import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { createByteReader } from './byte-reader.ts'
import { openBytes, type Seal, SEALED_OVERHEAD_BYTES } from './sealed-bytes.ts'
import { VaultError } from './vault.ts'

/**
 * Seals long data in segments, so that each can be used as soon as it is read. Implements the STREAM construction (Hoang,
 * Reyhanitabar, Rogaway, Vizár: Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, 2015) with
 * AES-256-GCM: a mark and a salt, followed by segments of 64 KiB and their tags. The nonce of a segment is its number and
 * a flag for the last one, so that no segment can be omitted, moved, repeated or cut off. Every stream has its own key,
 * derived from the data key, the salt and the place, so that numbers may start at 0.
 */
const MARK = Buffer.from('vaanist1')
const SALT_BYTES = 16
const HEADER_BYTES = MARK.length + SALT_BYTES
export const SEGMENT_BYTES = 65_536
const TAG_BYTES = 16
const NUMBER_OFFSET = 7
const LAST_OFFSET = 11

/** Returns the sealed length of a number of bytes. */
export const sealedLength = (bytes: number): number =>
  HEADER_BYTES + bytes + TAG_BYTES * Math.max(1, Math.ceil(bytes / SEGMENT_BYTES))

export async function* sealStream(source: AsyncIterable<Uint8Array>, seal: Seal): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const key = deriveKey(seal, salt)
  yield Buffer.concat([MARK, salt])
  let number = 0
  let pieces: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source)
    for (let start = 0; start < chunk.byteLength;) {
      // Only a byte after a segment shows that it is not the last one.
      if (bytes === SEGMENT_BYTES) {
        yield* sealSegment(pieces, key, nonceOf(number++, false))
        pieces = []
        bytes = 0
      }
      const piece = chunk.subarray(start, start + SEGMENT_BYTES - bytes)
      pieces.push(piece)
      bytes += piece.byteLength
      start += piece.byteLength
    }
  yield* sealSegment(pieces, key, nonceOf(number, true))
}

/** Yields the parts of a segment as they are, because joining them would copy them again. */
function* sealSegment(pieces: readonly Uint8Array[], key: KeyObject, nonce: Buffer): Generator<Buffer> {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  for (const piece of pieces) yield cipher.update(piece)
  cipher.final()
  yield cipher.getAuthTag()
}

export interface OpenedStream {
  /** Authenticates each chunk before it yields it, and throws at the end if anything is missing. */
  chunks: AsyncGenerator<Buffer>
  /** Computes the length of the plaintext from the sealed length. */
  lengthOf(sealedBytes: number): number
}

/**
 * Opens data sealed as a stream, or, in memory, data that earlier versions sealed as a whole.
 *
 * @throws VaultError `damaged`, also while reading the chunks, if the data was altered or sealed for another place
 */
export async function openStream(source: AsyncIterable<Uint8Array>, seal: Seal): Promise<OpenedStream> {
  const reader = createByteReader(source)
  const mark = await reader.read(MARK.length)
  if (!mark.equals(MARK))
    return {
      chunks: openFormer(mark, reader.read, seal),
      lengthOf: (sealedBytes) => sealedBytes - SEALED_OVERHEAD_BYTES,
    }
  const salt = await reader.read(SALT_BYTES)
  return { chunks: openSegments(reader.read, deriveKey(seal, salt)), lengthOf: openedLength }
}

function openedLength(sealedBytes: number): number {
  const segments = Math.max(1, Math.ceil((sealedBytes - HEADER_BYTES) / (SEGMENT_BYTES + TAG_BYTES)))
  return sealedBytes - HEADER_BYTES - segments * TAG_BYTES
}

type Read = (bytes: number) => Promise<Buffer>

async function* openSegments(read: Read, key: KeyObject): AsyncGenerator<Buffer> {
  let sealed = await read(SEGMENT_BYTES + TAG_BYTES)
  for (let number = 0; ; number++) {
    const next = await read(SEGMENT_BYTES + TAG_BYTES)
    const isLast = next.length === 0
    yield openSegment(sealed, key, nonceOf(number, isLast))
    if (isLast) return
    sealed = next
  }
}

function openSegment(sealed: Buffer, key: KeyObject, nonce: Buffer): Buffer {
  const tagStart = sealed.length - TAG_BYTES
  if (tagStart < 0) throw new VaultError('damaged')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(sealed.subarray(tagStart))
    return Buffer.concat([decipher.update(sealed.subarray(0, tagStart)), decipher.final()])
  } catch (error) {
    throw new VaultError('damaged', error)
  }
}

async function* openFormer(start: Buffer, read: Read, seal: Seal): AsyncGenerator<Buffer> {
  yield openBytes(Buffer.concat([start, await read(Number.POSITIVE_INFINITY)]), seal)
}

const deriveKey = ({ key, place }: Seal, salt: Buffer): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, salt, `vaani stream 1\0${place}`, key.length)))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(LAST_OFFSET + 1)
  nonce.writeUInt32BE(number, NUMBER_OFFSET)
  nonce[LAST_OFFSET] = isLast ? 1 : 0
  return nonce
}
