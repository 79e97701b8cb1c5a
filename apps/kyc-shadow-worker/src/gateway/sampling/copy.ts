import type { MemoryBudget } from './memory-budget.ts'

/** A copy of a body on its way to a store. It never holds the original back: if the store is too slow, the copy is given up. */
export interface Copy {
  /** Bytes that wait for the store. */
  readonly waitingBytes: number
  /** Whether there was room. Otherwise the copy is dropped. */
  push(chunk: Buffer): boolean
  /** Nothing more is coming. */
  end(): void
  /** Frees what waits. Reading fails from now on, so that no part of a body is taken for the whole. */
  drop(): void
  /** What was copied, to be read once. */
  chunks(): AsyncGenerator<Buffer>
}

class CopyDroppedError extends Error {
  override readonly name = 'CopyDroppedError'
}

export function createCopy(options: { maxBytes: number; memory: MemoryBudget }): Copy {
  const { maxBytes, memory } = options
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let isEnded = false
  let isDropped = false
  let wake: () => void = () => undefined

  function free(bytes: number): void {
    waitingBytes -= bytes
    memory.give(bytes)
  }
  function drop(): void {
    waiting = []
    free(waitingBytes)
    isDropped = true
    wake()
  }

  return {
    get waitingBytes() {
      return waitingBytes
    },
    push(chunk) {
      if (isEnded || isDropped) return false
      if (waitingBytes + chunk.length > maxBytes || !memory.take(chunk.length)) {
        drop()
        return false
      }
      waiting.push(chunk)
      waitingBytes += chunk.length
      wake()
      return true
    },
    end() {
      isEnded = true
      wake()
    },
    drop,
    async *chunks() {
      for (;;) {
        if (isDropped) throw new CopyDroppedError('The copy was dropped')
        const chunk = waiting.shift()
        if (chunk !== undefined) {
          yield chunk
          // Still in memory until the next one is asked for.
          if (!isDropped) free(chunk.length)
        } else if (isEnded) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
