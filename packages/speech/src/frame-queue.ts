/** Frames between the one that makes them and the one that takes them. */
export interface FrameQueue {
  push(frame: Int16Array): void
  /** No more frames come; with an error, taking rejects with it once the frames before it are taken. */
  end(error?: unknown): void
  /** The next frame, or undefined at the end. */
  take(): Promise<Int16Array | undefined>
  /** Resolves when fewer than `count` frames wait. */
  untilBelow(count: number): Promise<void>
}

export function createFrameQueue(): FrameQueue {
  const frames: Int16Array[] = []
  let ended: { error?: unknown } | undefined
  let wakeTaker: (() => void) | undefined
  let waiting: { count: number; resolve: () => void } | undefined

  const wake = () => {
    wakeTaker?.()
    wakeTaker = undefined
  }
  return {
    push(frame) {
      frames.push(frame)
      wake()
    },
    end(error) {
      ended ??= error === undefined ? {} : { error }
      wake()
      waiting?.resolve()
    },
    async take() {
      for (;;) {
        const frame = frames.shift()
        if (frame !== undefined) {
          if (waiting && frames.length < waiting.count) waiting.resolve()
          return frame
        }
        if (ended !== undefined) {
          if ('error' in ended) throw ended.error
          return undefined
        }
        await new Promise<void>((resolve) => (wakeTaker = resolve))
      }
    },
    async untilBelow(count) {
      if (frames.length < count || ended !== undefined) return
      await new Promise<void>((resolve) => (waiting = { count, resolve }))
      waiting = undefined
    },
  }
}
