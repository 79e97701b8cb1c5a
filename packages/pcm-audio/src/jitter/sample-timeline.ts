/** Samples by position on an unbounded line, of which a window of fixed length is kept. */
export interface SampleTimeline {
  /** Position of the next sample to take; nothing before it is kept. */
  readonly start: number
  /** Position after the last sample. */
  readonly end: number
  /** Number of samples kept, without holes. */
  readonly held: number
  /** Writes samples to empty positions and returns how many it wrote. They must lie before `start + capacity`. */
  put(place: number, samples: Int16Array): number
  /** Returns the length of the run of samples from a position, up to a limit. */
  runLength(place: number, limit: number): number
  /** Returns the length of the hole from a position, up to a limit. */
  holeLength(place: number, limit: number): number
  /** Returns the sample at a position in the window, 0 in a hole. */
  at(place: number): number
  /** Removes samples from the start into an array, which must not be longer than the run there. */
  take(into: Int16Array): void
  /** Moves the start to a position and returns how many samples it dropped. */
  skipTo(place: number): number
  /** Drops all samples and starts at a position. */
  moveTo(place: number): void
}

/** Creates a timeline. It takes three bytes per sample of the capacity and never grows. */
export function createSampleTimeline(options: { capacity: number }): SampleTimeline {
  const { capacity } = options
  const samples = new Int16Array(capacity)
  const isHeld = new Uint8Array(capacity)
  let start = 0
  let end = 0
  let held = 0

  function lengthOf(state: number, place: number, limit: number): number {
    const most = Math.min(limit, start + capacity - place)
    let length = 0
    while (length < most && isHeld[(place + length) % capacity] === state) length++
    return length
  }

  return {
    get start() {
      return start
    },
    get end() {
      return end
    },
    get held() {
      return held
    },
    put(place, values) {
      let kept = 0
      for (let index = Math.max(0, start - place); index < values.length; index++) {
        const cell = (place + index) % capacity
        if (isHeld[cell] === 1) continue
        isHeld[cell] = 1
        samples[cell] = values[index] ?? 0
        kept++
      }
      held += kept
      if (kept > 0) end = Math.max(end, place + values.length)
      return kept
    },
    runLength: (place, limit) => lengthOf(1, place, limit),
    holeLength: (place, limit) => lengthOf(0, place, limit),
    at: (place) => (isHeld[place % capacity] === 1 ? (samples[place % capacity] ?? 0) : 0),
    take(into) {
      for (let index = 0; index < into.length; index++) {
        const cell = (start + index) % capacity
        into[index] = samples[cell] ?? 0
        isHeld[cell] = 0
      }
      held -= into.length
      start += into.length
    },
    skipTo(place) {
      let left = 0
      const last = Math.min(place, start + capacity)
      for (let at = start; at < last; at++) {
        left += isHeld[at % capacity] ?? 0
        isHeld[at % capacity] = 0
      }
      held -= left
      start = place
      end = Math.max(end, place)
      return left
    },
    moveTo(place) {
      isHeld.fill(0)
      held = 0
      start = end = place
    },
  }
}
