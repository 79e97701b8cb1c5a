import type { Stage } from './pipe.ts'

/** A stream gave nothing for too long. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
  readonly code = 'stream_stalled'
}

export interface GuardOptions {
  /** Ends the stream at once, with the signal's reason, even where the source does not stir. */
  signal?: AbortSignal
  /** How long one chunk may take to come, in milliseconds. Time in which nobody asks does not count. */
  idleTimeoutMs?: number
}

/**
 * A stage that does not wait for ever: it ends with the reason of a signal that aborts, or a `StalledError`, and tells the
 * source, without waiting for that to answer.
 *
 * @throws RangeError where the time is not above 0
 * @example
 * const frames = pipe(source, guard({ signal, idleTimeoutMs: 5000 }), frame({ samplesPerFrame: 320 }))
 */
export function guard<Chunk>(options: GuardOptions): Stage<Chunk, Chunk> {
  const { signal, idleTimeoutMs } = options
  if (idleTimeoutMs !== undefined && !(idleTimeoutMs > 0))
    throw new RangeError('A time to wait must be above 0')

  function next(iterator: AsyncIterator<Chunk>): Promise<IteratorResult<Chunk>> {
    return new Promise((resolve, reject) => {
      const onAbort = () => settle(() => reject(signal?.reason))
      const timer =
        idleTimeoutMs === undefined
          ? undefined
          : setTimeout(
              () => settle(() => reject(new StalledError(`Nothing came for ${idleTimeoutMs} ms`))),
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
      // A source that hangs would hang here too; what its end fails with belongs to nobody who still listens.
      if (!ended) void iterator.return?.().catch(() => undefined)
    }
  }
}
