import type { Pacing } from './carrier.ts'

const BINS_PER_MS = 10
const LONGEST_MS = 200
const BINS = LONGEST_MS * BINS_PER_MS
// The cell after the bins holds the longest gap in microseconds, because the last bin is open-ended.
const LONGEST_CELL = BINS

/**
 * Creates the cells of a histogram of gaps: bins of 0.1 ms up to 200 ms, and all longer gaps in the last one. The memory
 * is shared, so that one thread adds while another reads without waiting for the pacing thread.
 */
export function createPacingCells(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer((BINS + 1) * Int32Array.BYTES_PER_ELEMENT))
}

/** Counts one gap. Only one thread may add. */
export function addGap(cells: Int32Array<SharedArrayBuffer>, gapMs: number): void {
  Atomics.add(cells, Math.min(BINS - 1, Math.max(0, Math.round(gapMs * BINS_PER_MS))), 1)
  const gapMicroseconds = Math.round(gapMs * 1000)
  if (gapMicroseconds > Atomics.load(cells, LONGEST_CELL)) Atomics.store(cells, LONGEST_CELL, gapMicroseconds)
}

/** Reads and resets the histogram. Percentiles are exact to 0.05 ms (up to 200 ms), the maximum to 0.001 ms. */
export function takePacing(cells: Int32Array<SharedArrayBuffer>): Omit<Pacing, 'calls'> {
  const counts = Array.from({ length: BINS }, (_, bin) => Atomics.exchange(cells, bin, 0))
  const maxMs = Atomics.exchange(cells, LONGEST_CELL, 0) / 1000
  const gaps = counts.reduce((sum, count) => sum + count, 0)
  const percentile = (share: number) => {
    let below = 0
    const bin = counts.findIndex((count) => (below += count) >= gaps * share)
    return bin === BINS - 1 ? maxMs : bin / BINS_PER_MS
  }
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99), maxMs, gaps }
}
