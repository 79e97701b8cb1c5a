/** Queue between one writer and one reader, which bounds how far the writer is ahead. */
export interface Queue<Item> {
  push(item: Item): void
  /** Returns the weight of what is queued. */
  waiting(): number
  /** Marks the end. With an error, `take` rejects with it once all earlier items are taken. */
  end(error?: unknown): void
  /** Takes the next item, or undefined at the end. */
  take(): Promise<Item | undefined>
  /** Removes and returns everything. */
  clear(): Item[]
  /** Resolves when less than `weight` is queued, or the queue has ended. */
  untilBelow(weight: number): Promise<void>
}

/** Queue of samples between the engine and the reader, in chunks of any length, weighed by samples. */
export type ChunkQueue = Queue<Int16Array>

export const createChunkQueue = (): ChunkQueue => createQueue(({ length }) => length)

export function createQueue<Item>(weigh: (item: Item) => number): Queue<Item> {
  const items: Item[] = []
  let weight = 0
  let ended: { error?: unknown } | undefined
  let wakeTaker: (() => void) | undefined
  let waiter: { weight: number; resolve: () => void } | undefined

  const wake = () => {
    wakeTaker?.()
    wakeTaker = undefined
  }
  return {
    push(item) {
      items.push(item)
      weight += weigh(item)
      wake()
    },
    waiting: () => weight,
    end(error) {
      ended ??= error === undefined ? {} : { error }
      wake()
      waiter?.resolve()
    },
    async take() {
      for (;;) {
        const item = items.shift()
        if (item !== undefined) {
          weight -= weigh(item)
          if (waiter && weight < waiter.weight) waiter.resolve()
          return item
        }
        if (ended !== undefined) {
          if ('error' in ended) throw ended.error
          return undefined
        }
        await new Promise<void>((resolve) => (wakeTaker = resolve))
      }
    },
    clear() {
      weight = 0
      waiter?.resolve()
      return items.splice(0)
    },
    async untilBelow(limit) {
      if (weight < limit || ended !== undefined) return
      await new Promise<void>((resolve) => (waiter = { weight: limit, resolve }))
      waiter = undefined
    },
  }
}
