import { piecesOf } from './pieces.ts'

/** A count that every engine accepts. In V8, 16 384 arguments take three times as long per byte. */
const MAX_ARGUMENTS = 2 ** 13

export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4

/**
 * Encodes bytes as base64 in ASCII, chunk by chunk, whatever the chunk boundaries. Uses `btoa` because `Uint8Array.toBase64` is
 * not available everywhere yet.
 */
export async function* encodeBase64(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let binary = ''
  for await (const chunk of chunks) {
    // `btoa` takes a string with one character per byte.
    for (const piece of piecesOf(chunk, MAX_ARGUMENTS))
      binary += Reflect.apply(String.fromCharCode, null, piece)
    const whole = binary.length - (binary.length % 3)
    if (whole > 0) yield encoder.encode(btoa(binary.slice(0, whole)))
    binary = binary.slice(whole)
  }
  if (binary) yield encoder.encode(btoa(binary))
}
