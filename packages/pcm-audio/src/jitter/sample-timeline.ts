/** Samples at their places on an endless line, of which a stretch of fixed length is kept. */
export interface SampleTimeline {
  /** The place of the next sample to be taken; nothing before it is kept. */
  readonly start: number
  /** The place after the last sample there is. */
  readonly end: number
  /** How many samples are kept, holes left out. */
  readonly held: number
  /** Puts samples where nothing is yet, and gives how many there were kept. They must lie before `start + capacity`. */
  put(place: number, samples: Int16Array): number
  /** How many samples follow from a place on without a hole, up to a limit. */
  runLength(place: number, limit: number): number
  /** How many places follow that are empty, up to a limit. */
  holeLength(place: number, limit: number): number
  /** The sample at a place within the stretch, 0 in a hole. */
  at(place: number): number
  /** Moves a run that follows from the start into an array of its length, each sample for the only time. */
  take(into: Int16Array): void
  /** Goes on to a place, and gives how many samples were left out. */
  skipTo(place: number): number
  /** Drops all and begins at a place. */
  moveTo(place: number): void
}

/** Makes a timeline. Memory is three bytes for each sample of the capacity, and never grows. */
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
