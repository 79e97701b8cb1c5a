/** Frames that wait for their reader. */
export interface FrameQueue {
  /** Number of frames dropped because the queue was full. */
  readonly dropped: number
  /** Adds a frame. If the queue is full, the oldest frame is dropped, so that a slow reader hears the present. */
  push(frame: Int16Array<ArrayBuffer>): void
  /** Ends the frames after those that wait. */
  end(): void
  /** Reads the frames, each once. If the reader stops early, the frames stay for the next one. */
  read(): AsyncGenerator<Int16Array<ArrayBuffer>, void, undefined>
}

/** Creates a queue for one reader at a time. */
export function createFrameQueue({ capacity }: { capacity: number }): FrameQueue {
  const frames: Int16Array<ArrayBuffer>[] = []
  let dropped = 0
  let isEnded = false
  let wake = () => {}
  return {
    get dropped() {
      return dropped
    },
    push(frame) {
      if (isEnded) return
      frames.push(frame)
      if (frames.length > capacity) {
        frames.shift()
        dropped++
      }
      wake()
    },
    end() {
      isEnded = true
      wake()
    },
    async *read() {
      for (;;) {
        const frame = frames.shift()
        if (frame !== undefined) yield frame
        else if (isEnded) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
