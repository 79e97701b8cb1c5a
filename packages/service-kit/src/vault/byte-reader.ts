/** Reads an exact number of bytes from chunks of any size. */
export interface ByteReader {
  /** Returns fewer bytes only at the end. */
  read(bytes: number): Promise<Buffer>
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  return {
    async read(bytes) {
      const parts: Uint8Array[] = [rest]
      let held = rest.length
      while (held < bytes) {
        const next = await chunks.next()
        if (next.done) break
        parts.push(next.value)
        held += next.value.byteLength
      }
      const all = Buffer.concat(parts, held)
      rest = all.subarray(bytes)
      return all.subarray(0, bytes)
    },
  }
}
