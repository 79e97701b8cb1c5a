import { type Source, type Stage, toAsyncIterable } from './pipe.ts'

/**
 * Converts any source to a Web Stream, which requests a chunk when it is read and ends the source when it is cancelled.
 *
 * @example
 * const response = new Response(toReadableStream(pipe(frames, encode())))
 */
export function toReadableStream<Chunk>(source: Source<Chunk>): ReadableStream<Chunk> {
  let iterator: AsyncIterator<Chunk> | undefined
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        iterator ??= toAsyncIterable(source)[Symbol.asyncIterator]()
        const result = await iterator.next()
        if (result.done) controller.close()
        else controller.enqueue(result.value)
      },
      async cancel() {
        await iterator?.return?.()
      },
    },
    // Produce nothing ahead of the reader.
    { highWaterMark: 0 },
  )
}

/**
 * Converts a stage to a transform for `pipeThrough`.
 *
 * @example
 * const samples = response.body.pipeThrough(toTransformStream(decode(s16le)))
 */
export function toTransformStream<Input, Output>(
  stage: Stage<Input, Output>,
): { readable: ReadableStream<Output>; writable: WritableStream<Input> } {
  const { readable, writable } = new TransformStream<Input, Input>()
  return { readable: toReadableStream(stage(toAsyncIterable(readable))), writable }
}
