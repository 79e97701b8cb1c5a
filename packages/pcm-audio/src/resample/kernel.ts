import type { PolyphaseFilter } from './filter.ts'

/** Samples that a kernel takes at a time, in addition to the history that its filter needs. */
export const BLOCK_SAMPLES = 4096

/**
 * Runs a filter over a block. All resamplers with the same filter share a kernel, so its buffers do not persist between
 * runs.
 */
export interface FilterKernel {
  /** The block, `filter.length + BLOCK_SAMPLES` long. */
  readonly input: Float32Array
  /** Result of `run`. */
  readonly output: Float32Array
  /**
   * Fills `output` with `count` samples. The first applies the taps of `phase` to the input from `position` on. The caller
   * must ensure that the input is long enough.
   */
  run(position: number, phase: number, count: number): void
}

/** Returns the maximum number of output samples of a block. */
export const outputCapacity = ({ up, down }: PolyphaseFilter): number =>
  Math.ceil((BLOCK_SAMPLES * up) / down) + 1

const { fround } = Math

/**
 * Creates the kernel in plain TypeScript. It sums in eight 32-bit lanes like the two vectors of the WASM kernel, so that both
 * give the same bits.
 */
export function createPlainKernel(filter: PolyphaseFilter): FilterKernel {
  const { up, down, length, taps } = filter
  const input = new Float32Array(length + BLOCK_SAMPLES)
  const output = new Float32Array(outputCapacity(filter))
  const step = Math.floor(down / up)
  const rest = down % up
  return {
    input,
    output,
    run(position, phase, count) {
      for (let index = 0; index < count; index++) {
        let s0 = 0
        let s1 = 0
        let s2 = 0
        let s3 = 0
        let s4 = 0
        let s5 = 0
        let s6 = 0
        let s7 = 0
        const end = (phase + 1) * length
        for (let tap = phase * length, at = position; tap < end; tap += 8, at += 8) {
          s0 = fround(s0 + fround((taps[tap] ?? 0) * (input[at] ?? 0)))
          s1 = fround(s1 + fround((taps[tap + 1] ?? 0) * (input[at + 1] ?? 0)))
          s2 = fround(s2 + fround((taps[tap + 2] ?? 0) * (input[at + 2] ?? 0)))
          s3 = fround(s3 + fround((taps[tap + 3] ?? 0) * (input[at + 3] ?? 0)))
          s4 = fround(s4 + fround((taps[tap + 4] ?? 0) * (input[at + 4] ?? 0)))
          s5 = fround(s5 + fround((taps[tap + 5] ?? 0) * (input[at + 5] ?? 0)))
          s6 = fround(s6 + fround((taps[tap + 6] ?? 0) * (input[at + 6] ?? 0)))
          s7 = fround(s7 + fround((taps[tap + 7] ?? 0) * (input[at + 7] ?? 0)))
        }
        output[index] = fround(
          fround(fround(s0 + s4) + fround(s1 + s5)) + fround(fround(s2 + s6) + fround(s3 + s7)),
        )
        phase += rest
        position += step
        if (phase >= up) {
          phase -= up
          position++
        }
      }
    },
  }
}
