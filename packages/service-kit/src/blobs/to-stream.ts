import { Readable } from 'node:stream'

/**
 * A stream of chunks that are made of another stream. `Readable.from` would let go of that one only once its next chunk
 * has come, and a store that is silent sends none.
 */
export function toStream(chunks: AsyncGenerator<Buffer>, source: Readable): Readable {
  return new Readable({
    read() {
      chunks.next().then(
        (next) => this.push(next.done ? null : next.value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      source.destroy()
      done(error)
    },
  })
}
