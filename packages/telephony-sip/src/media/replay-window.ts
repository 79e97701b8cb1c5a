/** How far behind the newest packet another may arrive. RFC 3711 (3.3.2) requires at least 64. */
const WINDOW = 128

/** Lets each packet in once. */
export interface ReplayWindow {
  /** Returns whether a packet is new, and not too old to say so. */
  isNew(index: number): boolean
  /** Remembers a packet that was authentic. */
  add(index: number): void
}

/** Creates a window of packet indexes of up to 48 bits. */
export function createReplayWindow(): ReplayWindow {
  const seen = new Float64Array(WINDOW).fill(-1)
  let highest = -1
  return {
    isNew: (index) => index > highest - WINDOW && seen[index % WINDOW] !== index,
    add(index) {
      seen[index % WINDOW] = index
      highest = Math.max(highest, index)
    },
  }
}
