/**
 * Ring buffer in shared memory that carries the frames of one call from the speaking thread, its only writer, to the
 * playing thread, its only reader. Positions count frames since the start of the call and never wrap: 2^31 frames are 497
 * days.
 */
export interface FrameRing {
  readonly samples: Int16Array<SharedArrayBuffer>
  readonly cells: Int32Array<SharedArrayBuffer>
  readonly frameSamples: number
  readonly capacityFrames: number
}

// Only one thread stores to each cell.
const WRITTEN = 0 // by the writer: frames written
const CLEARED = 1 // by the writer: frames before this position must not be played
const PLAYED = 2 // by the reader: frames played, or skipped because they were cleared
const HEARD = 3 // by the reader: frames that passed since the answer, silence included

/** Creates an empty ring, which may be posted to another thread. */
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

/** Number of frames written so far. */
export const writtenFrames = (ring: FrameRing) => Atomics.load(ring.cells, WRITTEN)
/** Number of frames played or skipped so far. */
export const playedFrames = (ring: FrameRing) => Atomics.load(ring.cells, PLAYED)
/** Number of frames that the far end has heard, silence included. */
export const heardFrames = (ring: FrameRing) => Atomics.load(ring.cells, HEARD)

/** Writer: writes one frame. Returns false if there is no room. */
export function writeFrame(ring: FrameRing, frame: Int16Array): boolean {
  const written = writtenFrames(ring)
  if (written - playedFrames(ring) >= ring.capacityFrames) return false
  slot(ring, written).set(frame)
  Atomics.store(ring.cells, WRITTEN, written + 1)
  return true
}

/** Writer: marks all waiting frames as cleared. The reader frees their room at its next frame. */
export function clearFrames(ring: FrameRing): void {
  Atomics.store(ring.cells, CLEARED, writtenFrames(ring))
}

/** Writer: waits until the number of played frames differs from `played`, or until {@link wakeWriter}. */
export async function playedFramesChange(ring: FrameRing, played: number): Promise<void> {
  await Atomics.waitAsync(ring.cells, PLAYED, played).value
}

/** Wakes a writer that waits in {@link playedFramesChange}. */
export function wakeWriter(ring: FrameRing): void {
  Atomics.notify(ring.cells, PLAYED)
}

/** Reader: frees the room of cleared frames. */
export function skipClearedFrames(ring: FrameRing): void {
  const cleared = Atomics.load(ring.cells, CLEARED)
  if (cleared > playedFrames(ring)) setPlayed(ring, cleared)
}

/** Reader: returns the frame at a position, or undefined if it is not written yet. It stays as it is until it counts as played. */
export function frameAt(ring: FrameRing, position: number): Int16Array | undefined {
  return position < writtenFrames(ring) ? slot(ring, position) : undefined
}

/** Reader: counts all frames before a position as played. */
export function confirmFrames(ring: FrameRing, position: number): void {
  if (position > playedFrames(ring)) setPlayed(ring, position)
}

/** Reader: calls `hear` with the next frame, or null if none is waiting. The frame is valid only during the call. */
export function playFrame(ring: FrameRing, hear: (frame: Int16Array | null) => void): void {
  skipClearedFrames(ring)
  const played = playedFrames(ring)
  const waits = played < writtenFrames(ring)
  hear(waits ? slot(ring, played) : null)
  Atomics.add(ring.cells, HEARD, 1)
  if (waits) setPlayed(ring, played + 1)
}

/** Reader: lets 20 ms of silence pass, and keeps the frames that wait. */
export function passFrame(ring: FrameRing): void {
  skipClearedFrames(ring)
  Atomics.add(ring.cells, HEARD, 1)
}

function setPlayed(ring: FrameRing, played: number): void {
  Atomics.store(ring.cells, PLAYED, played)
  Atomics.notify(ring.cells, PLAYED)
}
