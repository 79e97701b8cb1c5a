/** Source of a stream: an iterable, or a Web Stream. */
export type Source<Chunk> = AsyncIterable<Chunk> | Iterable<Chunk> | ReadableStream<Chunk>

/** A step of a pipe, from one stream to another. It reads input only when its output is read. */
export type Stage<Input, Output> = (source: AsyncIterable<Input>) => AsyncIterable<Output>

/** Reads a Web Stream chunk by chunk, because streams are not async iterable in Safari. */
async function* readAll<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, void, undefined> {
  const reader = stream.getReader()
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        ended = true
        return
      }
      yield value
    }
  } finally {
    // If the reader stops early, cancel the source, which may be a network connection.
    if (!ended) await reader.cancel()
    reader.releaseLock()
  }
}

async function* iterate<Chunk>(source: Iterable<Chunk>): AsyncGenerator<Chunk, void, undefined> {
  yield* source
}

/** Converts any source to an async iterable. */
export function toAsyncIterable<Chunk>(source: Source<Chunk>): AsyncIterable<Chunk> {
  if ('getReader' in source) return readAll(source)
  return Symbol.asyncIterator in source ? source : iterate(source)
}

/**
 * Joins a source and stages into one stream. It runs only as far as the reader requests chunks, so back-pressure reaches the
 * source. If the reader stops early, the stages and the source end too.
 *
 * @example
 * const source = [new Int16Array(24_000)]
 * const frames = pipe(source, resample({ fromHz: 24_000, toHz: 16_000 }), frame({ samplesPerFrame: 320 }))
 * for await (const samples of frames) console.log(samples.length) // 320, fifty times
 */
export function pipe<A>(source: Source<A>): AsyncIterable<A>
export function pipe<A, B>(source: Source<A>, first: Stage<A, B>): AsyncIterable<B>
export function pipe<A, B, C>(source: Source<A>, first: Stage<A, B>, second: Stage<B, C>): AsyncIterable<C>
export function pipe<A, B, C, D>(
  source: Source<A>,
  first: Stage<A, B>,
  second: Stage<B, C>,
  third: Stage<C, D>,
): AsyncIterable<D>
export function pipe<A, B, C, D, E>(
  source: Source<A>,
  first: Stage<A, B>,
  second: Stage<B, C>,
  third: Stage<C, D>,
  fourth: Stage<D, E>,
): AsyncIterable<E>
export function pipe<A, B, C, D, E, F>(
  source: Source<A>,
  first: Stage<A, B>,
  second: Stage<B, C>,
  third: Stage<C, D>,
  fourth: Stage<D, E>,
  fifth: Stage<E, F>,
): AsyncIterable<F>
export function pipe<Chunk>(
  source: Source<Chunk>,
  ...stages: readonly Stage<Chunk, Chunk>[]
): AsyncIterable<Chunk> {
  return stages.reduce((stream, stage) => stage(stream), toAsyncIterable(source))
}
