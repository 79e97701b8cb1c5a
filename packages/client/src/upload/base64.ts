import { piecesOf } from './pieces.ts'

/** As many arguments as every engine takes; more are slower too. */
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
  let rest = ''
  for await (const chunk of chunks) {
    const binary = rest + binaryOf(chunk)
    const whole = binary.length - (binary.length % 3)
    rest = binary.slice(whole)
    if (whole > 0) yield encoder.encode(btoa(binary.slice(0, whole)))
  }
  if (rest !== '') yield encoder.encode(btoa(rest))
}

/** A character for each byte, which is what `btoa` takes. */
const binaryOf = (bytes: Uint8Array): string =>
  Array.from(piecesOf(bytes, MAX_ARGUMENTS), (piece) => Reflect.apply(String.fromCharCode, null, piece)).join(
    '',
  )
