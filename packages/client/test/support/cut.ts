import fc from 'fast-check'

/** Bytes with any way to cut them, as a network does. */
export const cuts = fc.array(fc.nat(12), { minLength: 1 })

/** The bytes in chunks of these sizes, over and over; sizes of 0 give empty chunks. */
export function cutInto(bytes: Uint8Array, sizes: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0, number = 0; at < bytes.length; number += 1) {
    // Every tenth brings something, whatever the sizes.
    const size = sizes[number % sizes.length] || (number % 10 === 9 ? 1 : 0)
    chunks.push(Uint8Array.from(bytes.subarray(at, at + size)))
    at += size
  }
  return chunks
}

/** The body of an answer that comes in these chunks. */
export const streamOf = (
  chunks: readonly Uint8Array<ArrayBuffer>[],
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
