import { Readable } from 'node:stream'

/**
 * Makes a stream of chunks that derive from another stream. `Readable.from` would release the source only after its next
 * chunk, and a stalled store sends none.
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
