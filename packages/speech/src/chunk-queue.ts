/** Queue of samples between the engine and the reader, in chunks of any length. */
export interface ChunkQueue {
  push(chunk: Int16Array): void
  /** Returns the number of queued samples. */
  waiting(): number
  /** Marks the end. With an error, `take` rejects with it once all earlier chunks are taken. */
  end(error?: unknown): void
  /** Takes the next chunk, or undefined at the end. */
  take(): Promise<Int16Array | undefined>
  /** Resolves when fewer than `count` samples are queued, or the queue has ended. */
  untilBelow(count: number): Promise<void>
}

export function createChunkQueue(): ChunkQueue {
  const chunks: Int16Array[] = []
  let samples = 0
  let ended: { error?: unknown } | undefined
  let wakeTaker: (() => void) | undefined
  let waiter: { count: number; resolve: () => void } | undefined

  const wake = () => {
    wakeTaker?.()
    wakeTaker = undefined
  }
  return {
    push(chunk) {
      chunks.push(chunk)
      samples += chunk.length
      wake()
    },
    waiting: () => samples,
    end(error) {
      ended ??= error === undefined ? {} : { error }
      wake()
      waiter?.resolve()
    },
    async take() {
      for (;;) {
        const chunk = chunks.shift()
        if (chunk !== undefined) {
          samples -= chunk.length
          if (waiter && samples < waiter.count) waiter.resolve()
          return chunk
        }
        if (ended !== undefined) {
          if ('error' in ended) throw ended.error
          return undefined
        }
        await new Promise<void>((resolve) => (wakeTaker = resolve))
      }
    },
    async untilBelow(count) {
      if (samples < count || ended !== undefined) return
      await new Promise<void>((resolve) => (waiter = { count, resolve }))
      waiter = undefined
    },
  }
}
