/** Whether 16-bit samples lie in this machine's memory as in `s16le`. */
export const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Returns the samples as little-endian bytes: a view on a little-endian machine, otherwise a copy. */
export function pcm16Bytes<Memory extends ArrayBufferLike>(
  samples: Int16Array<Memory>,
): Uint8Array<Memory> | Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  if (IS_LITTLE_ENDIAN) return bytes
  const swapped = new Uint8Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) swapped[index] = bytes[index ^ 1] ?? 0
  return swapped
}
