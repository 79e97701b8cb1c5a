import { Readable } from 'node:stream'

/** Why a response is aborted: the receiver read nothing for too long, or the whole response took too long. */
export type StuckReason = 'idle' | 'limit'

/**
 * Makes the stream of a response. Calls `onStuck` if the receiver reads nothing of a full buffer within `idleMs`, or if it does
 * not have the last chunk within `limitMs`, so that the caller can drop it. The time that a chunk takes to be made does not
 * count as idle.
 *
 * `Readable.from` ends generators a second time, after which V8 keeps a request until the next collection of its whole heap. See
 * docs/decisions/0046-young-objects.md.
 *
 * @param options.bufferedBytes what is made in advance
 */
export function streamToReceiver(
  chunks: AsyncGenerator<Uint8Array, unknown, undefined>,
  options: { bufferedBytes: number; idleMs: number; limitMs: number; onStuck: (reason: StuckReason) => void },
): Readable {
  const { bufferedBytes, idleMs, limitMs, onStuck } = options
  let limit: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined
  let isOver = false

  function pass(stream: Readable, { done, value }: IteratorResult<Uint8Array, unknown>): void {
    isOver = done === true
    if (done === true) stream.push(null)
    else if (!stream.push(value) && !stream.destroyed) idle = setTimeout(() => onStuck('idle'), idleMs)
  }

  return new Readable({
    highWaterMark: bufferedBytes,
    read() {
      limit ??= setTimeout(() => onStuck('limit'), limitMs)
      clearTimeout(idle)
      chunks.next().then(
        (next) => pass(this, next),
        (fault: Error) => {
          isOver = true
          this.destroy(fault)
        },
      )
    },
    destroy(fault, done) {
      clearTimeout(limit)
      clearTimeout(idle)
      if (isOver) done(fault)
      else chunks.return(undefined).then(() => done(fault), done)
    },
  })
}
