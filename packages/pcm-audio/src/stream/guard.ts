import type { Stage } from './pipe.ts'

/** Thrown if no chunk arrives within the idle timeout. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
  readonly code = 'stream_stalled'
}

export interface GuardOptions {
  /** Ends the stream at once with the signal's reason, even if the source hangs. */
  signal?: AbortSignal
  /** Maximum wait for one chunk. Time in which the reader requests none does not count. */
  idleTimeoutMs?: number
}

/**
 * Creates a stage that does not wait forever. It fails with the reason of an aborted signal or with a `StalledError`, and
 * ends the source without waiting for it.
 *
 * @throws RangeError if the timeout is not above 0
 * @example
 * const frames = pipe(source, guard({ signal, idleTimeoutMs: 5000 }), frame({ samplesPerFrame: 320 }))
 */
export function guard<Chunk>(options: GuardOptions): Stage<Chunk, Chunk> {
  const { signal, idleTimeoutMs } = options
  if (idleTimeoutMs !== undefined && !(idleTimeoutMs > 0))
    throw new RangeError('The idle timeout must be above 0')

  function next(iterator: AsyncIterator<Chunk>): Promise<IteratorResult<Chunk>> {
    return new Promise((resolve, reject) => {
      const onAbort = () => settle(() => reject(signal?.reason))
      const timer =
        idleTimeoutMs === undefined
          ? undefined
          : setTimeout(
              () => settle(() => reject(new StalledError(`No chunk arrived for ${idleTimeoutMs} ms`))),
              idleTimeoutMs,
            )
      const settle = (end: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        end()
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      iterator.next().then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error)),
      )
    })
  }

  return async function* guarded(source) {
    signal?.throwIfAborted()
    const iterator = source[Symbol.asyncIterator]()
    let ended = false
    try {
      for (;;) {
        const result = await next(iterator)
        if (result.done) {
          ended = true
          return
        }
        yield result.value
        signal?.throwIfAborted()
      }
    } finally {
      // Do not await: a source that hangs would hang here too. The reader is gone, so ignore errors of the end.
      if (!ended) void iterator.return?.().catch(() => undefined)
    }
  }
}
