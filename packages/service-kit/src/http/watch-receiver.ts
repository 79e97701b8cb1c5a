/** Why a response is aborted: the receiver read nothing for too long, or the whole response took too long. */
export type StuckReason = 'idle' | 'limit'

/**
 * Passes on the chunks of a response. Calls `onStuck` if one is not read within `idleMs`, or the last one not within `limitMs`,
 * so that the caller can drop the receiver. Time spent waiting for a chunk to be made does not count as idle.
 */
export async function* watchReceiver<Chunk>(
  chunks: AsyncIterable<Chunk>,
  options: { idleMs: number; limitMs: number; onStuck: (reason: StuckReason) => void },
): AsyncGenerator<Chunk, void, undefined> {
  const { idleMs, limitMs, onStuck } = options
  const limit = setTimeout(() => onStuck('limit'), limitMs)
  let idle: NodeJS.Timeout | undefined
  try {
    for await (const chunk of chunks) {
      idle = setTimeout(() => onStuck('idle'), idleMs)
      yield chunk
      clearTimeout(idle)
    }
  } finally {
    clearTimeout(limit)
    clearTimeout(idle)
  }
}
