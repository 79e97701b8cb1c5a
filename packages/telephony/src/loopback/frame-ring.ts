/**
 * The frames of one call on their way from the thread that speaks to the thread that plays: a ring in shared memory with
 * one writer and one reader. Positions count frames since the start of the call and never wrap: 2^31 frames are 497 days.
 */
export interface FrameRing {
  readonly samples: Int16Array<SharedArrayBuffer>
  readonly cells: Int32Array<SharedArrayBuffer>
  readonly frameSamples: number
  readonly capacityFrames: number
}

// Each cell has one thread that stores it.
const WRITTEN = 0 // by the writer: frames put in
const CLEARED = 1 // by the writer: frames before this one are not to be played
const PLAYED = 2 // by the reader: frames taken out, or skipped because they were cleared
const HEARD = 3 // by the reader: frames that passed since the answer, silence included

/** Makes an empty ring; it may be posted to another thread. */
export function createFrameRing(options: {
  readonly frameSamples: number
  readonly capacityFrames: number
}): FrameRing {
  const samples = options.frameSamples * options.capacityFrames
  return {
    ...options,
    samples: new Int16Array(new SharedArrayBuffer(samples * Int16Array.BYTES_PER_ELEMENT)),
    cells: new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)),
  }
}

const slot = (ring: FrameRing, position: number) => {
  const start = (position % ring.capacityFrames) * ring.frameSamples
  return ring.samples.subarray(start, start + ring.frameSamples)
}

/** How many frames were put in so far. */
export const writtenFrames = (ring: FrameRing) => Atomics.load(ring.cells, WRITTEN)
/** How many frames are no longer waiting. */
export const playedFrames = (ring: FrameRing) => Atomics.load(ring.cells, PLAYED)
/** How many frames the far end has heard, silence included. */
export const heardFrames = (ring: FrameRing) => Atomics.load(ring.cells, HEARD)

/** Writer: puts one frame in, or returns false if there is no room. */
export function writeFrame(ring: FrameRing, frame: Int16Array): boolean {
  const written = writtenFrames(ring)
  if (written - playedFrames(ring) >= ring.capacityFrames) return false
  slot(ring, written).set(frame)
  Atomics.store(ring.cells, WRITTEN, written + 1)
  return true
}

/** Writer: marks all that is waiting as not to be played; the reader makes the room at its next frame. */
export function clearFrames(ring: FrameRing): void {
  Atomics.store(ring.cells, CLEARED, writtenFrames(ring))
}

/** Writer: waits until `played` is no longer the number of played frames, or `wakeWriter` was called. */
export async function playedFramesChange(ring: FrameRing, played: number): Promise<void> {
  await Atomics.waitAsync(ring.cells, PLAYED, played).value
}

/** Ends the waiting in {@link playedFramesChange}. */
export function wakeWriter(ring: FrameRing): void {
  Atomics.notify(ring.cells, PLAYED)
}

/** Reader: gives the room of cleared frames back to the writer. */
export function skipClearedFrames(ring: FrameRing): void {
  const cleared = Atomics.load(ring.cells, CLEARED)
  if (cleared > playedFrames(ring)) setPlayed(ring, cleared)
}

/** Reader: lets `hear` have the next frame, or null if none waits. The frame is only valid during `hear`. */
export function playFrame(ring: FrameRing, hear: (frame: Int16Array | null) => void): void {
  skipClearedFrames(ring)
  const played = playedFrames(ring)
  const waits = played < writtenFrames(ring)
  hear(waits ? slot(ring, played) : null)
  Atomics.add(ring.cells, HEARD, 1)
  if (waits) setPlayed(ring, played + 1)
}

function setPlayed(ring: FrameRing, played: number): void {
  Atomics.store(ring.cells, PLAYED, played)
  Atomics.notify(ring.cells, PLAYED)
}
