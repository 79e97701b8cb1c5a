import fc from 'fast-check'

/** Generates chunk sizes, to split bytes arbitrarily as a network does. */
export const cuts = fc.array(fc.nat(12), { minLength: 1 })

/** Splits bytes into chunks of these sizes, repeated in a cycle; a size of 0 gives an empty chunk. */
export function cutInto(bytes: Uint8Array, sizes: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0, number = 0; at < bytes.length; number += 1) {
    // Every tenth chunk has at least one byte, so that all-zero sizes still make progress.
    const size = sizes[number % sizes.length] || (number % 10 === 9 ? 1 : 0)
    chunks.push(Uint8Array.from(bytes.subarray(at, at + size)))
    at += size
  }
  return chunks
}

/** Returns a response body that arrives in these chunks. */
export const streamOf = (
  chunks: readonly Uint8Array<ArrayBuffer>[],
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
