/** A queue between a producer that never waits and one reader. */
export interface EventStream<Event> extends AsyncIterable<Event> {
  push(event: Event): void
  /** Ends the stream. The reader still gets the queued events. */
  end(): void
}

/**
 * Creates an event stream that holds at most `limit` events. When it is full, the oldest event that `mayDrop` accepts is
 * dropped; if there is none, the stream grows, so events that may not be dropped must be few.
 */
export function createEventStream<Event>(options: {
  readonly limit: number
  readonly mayDrop: (event: Event) => boolean
}): EventStream<Event> {
  const waiting: Event[] = []
  let ended = false
  let wake = () => {}

  async function* read(): AsyncGenerator<Event> {
    for (;;) {
      const event = waiting.shift()
      if (event !== undefined) yield event
      else if (ended) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    push(event) {
      if (ended) return
      if (waiting.length >= options.limit) {
        const oldest = waiting.findIndex(options.mayDrop)
        if (oldest >= 0) waiting.splice(oldest, 1)
      }
      waiting.push(event)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    [Symbol.asyncIterator]: read,
  }
}
