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
const AWAITED = 4 // by the writer: the position at which it wants to be woken

/** Frames for which a writer of many waits to have room: waking another thread costs more than playing a frame. */
const ROOM_FRAMES = 25

/** Creates an empty ring, which may be posted to another thread. */
export function createFrameRing(options: {
  readonly frameSamples: number
  readonly capacityFrames: number
}): FrameRing {
  const samples = options.frameSamples * options.capacityFrames
  return {
    ...options,
    samples: new Int16Array(new SharedArrayBuffer(samples * Int16Array.BYTES_PER_ELEMENT)),
    cells: new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT)),
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

/** Writer: waits until so many frames are played, or {@link wakeWriter}. May return before: the caller looks again. */
export async function framesPlayed(ring: FrameRing, position: number): Promise<void> {
  const played = playedFrames(ring)
  if (played >= position) return
  const awaited = Atomics.load(ring.cells, AWAITED)
  // Of several waits the first is told, and wakes all.
  if (awaited <= played || position < awaited) Atomics.store(ring.cells, AWAITED, position)
  await Atomics.waitAsync(ring.cells, PLAYED, played).value
}

/** Writer: waits until there is room for so many frames, or for a good part of them. May return before, like {@link framesPlayed}. */
export function roomFor(ring: FrameRing, frames: number): Promise<void> {
  const wanted = Math.min(frames, ROOM_FRAMES, ring.capacityFrames)
  return framesPlayed(ring, writtenFrames(ring) - ring.capacityFrames + wanted)
}

/** Wakes a writer that waits in {@link framesPlayed}. */
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
  if (played >= Atomics.load(ring.cells, AWAITED)) Atomics.notify(ring.cells, PLAYED)
}
