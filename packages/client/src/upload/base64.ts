import { piecesOf } from './pieces.ts'

/** As many as every engine takes; V8 takes three times as long for each byte where there are 16 384. */
const MAX_ARGUMENTS = 2 ** 13

export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4

/**
 * Bytes as the ASCII bytes of their base64, chunk by chunk, wherever they are cut. By `btoa`, as `Uint8Array.toBase64` is too
 * young.
 */
export async function* encodeBase64(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let binary = ''
  for await (const chunk of chunks) {
    // A character for each byte, which is what `btoa` takes.
    for (const piece of piecesOf(chunk, MAX_ARGUMENTS))
      binary += Reflect.apply(String.fromCharCode, null, piece)
    const whole = binary.length - (binary.length % 3)
    if (whole > 0) yield encoder.encode(btoa(binary.slice(0, whole)))
    binary = binary.slice(whole)
  }
  if (binary) yield encoder.encode(btoa(binary))
}
