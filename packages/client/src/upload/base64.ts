const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4

/** Bytes as the ASCII bytes of their base64, chunk by chunk, whatever the lengths of the chunks. */
export async function* encodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const letters = new TextEncoder().encode(ALPHABET)
  let rest = new Uint8Array(0)
  for await (const chunk of chunks) {
    const input = rest.length === 0 ? chunk : concatenate(rest, chunk)
    const whole = input.length - (input.length % 3)
    rest = input.slice(whole)
    if (whole > 0) yield encodeWhole(input, whole, letters)
  }
  if (rest.length === 0) return
  const last = encodeWhole(concatenate(rest, new Uint8Array(3 - rest.length)), 3, letters)
  last.fill(0x3d, rest.length + 1)
  yield last
}

/** By hand: `btoa` needs a string, and `Uint8Array.toBase64` is too young. */
function encodeWhole(input: Uint8Array, length: number, letters: Uint8Array): Uint8Array {
  const output = new Uint8Array(base64Length(length))
  let at = 0
  for (let index = 0; index < length; index += 3) {
    const bits = ((input[index] ?? 0) << 16) | ((input[index + 1] ?? 0) << 8) | (input[index + 2] ?? 0)
    output[at] = letters[bits >> 18] ?? 0
    output[at + 1] = letters[(bits >> 12) & 63] ?? 0
    output[at + 2] = letters[(bits >> 6) & 63] ?? 0
    output[at + 3] = letters[bits & 63] ?? 0
    at += 4
  }
  return output
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
