const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PADDING = 0x3d

export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4

/**
 * Bytes as the ASCII bytes of their base64, chunk by chunk, wherever they are cut. By hand, as `btoa` needs strings and
 * `Uint8Array.toBase64` is too young.
 */
export async function* encodeBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bits = 0
  let held = 0
  for await (const chunk of chunks) {
    const output = new Uint8Array(base64Length(held + chunk.length))
    let at = 0
    for (const byte of chunk) {
      bits = (bits << 8) | byte
      held += 1
      if (held < 3) continue
      at = writeGroup(output, at, bits)
      bits = 0
      held = 0
    }
    if (at > 0) yield output.subarray(0, at)
  }
  if (held === 0) return
  const last = new Uint8Array(4)
  writeGroup(last, 0, bits << (24 - held * 8))
  yield last.fill(PADDING, held + 1)
}

function writeGroup(output: Uint8Array, at: number, bits: number): number {
  output[at] = ALPHABET.charCodeAt(bits >> 18)
  output[at + 1] = ALPHABET.charCodeAt((bits >> 12) & 63)
  output[at + 2] = ALPHABET.charCodeAt((bits >> 6) & 63)
  output[at + 3] = ALPHABET.charCodeAt(bits & 63)
  return at + 4
}
