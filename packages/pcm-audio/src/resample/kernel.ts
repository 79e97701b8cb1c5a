import type { PolyphaseFilter } from './filter.ts'

/** Samples that a kernel takes at a time, in addition to the history that its filter needs. */
export const BLOCK_SAMPLES = 4096

/**
 * Runs a filter over a block. All resamplers with the same filter share a kernel, so its buffers do not persist between
 * runs.
 */
export interface FilterKernel {
  /** The block, `filter.length + BLOCK_SAMPLES` long. */
  readonly input: Float32Array | Float64Array
  /** Result of `run`. */
  readonly output: Float32Array
  /**
   * Fills `output` with `count` samples. The first applies the taps of `phase` to the input from `position` on. The caller
   * must ensure that the input is long enough.
   */
  run(position: number, phase: number, count: number): void
}

/** Inner loops of a kernel, on the input from `position` on and with the taps of `phase`. */
export interface FilterLoops {
  /** Computes groups of four outputs of one phase, `up` apart from `first` on. They share each tap that is loaded. */
  groups(position: number, phase: number, first: number, groups: number): void
  /** Computes the outputs from `first` to before `end` one by one. */
  each(position: number, phase: number, first: number, end: number): void
}

/** Runs the loops over a block: as many outputs as possible in groups, and the rest one by one. */
export function runLoops({ up, down }: PolyphaseFilter, loops: FilterLoops): FilterKernel['run'] {
  return (position, phase, count) => {
    const groups = Math.floor(count / (4 * up))
    const phases = groups === 0 ? 0 : up
    for (let first = 0; first < phases; first++) {
      const passed = phase + first * down
      loops.groups(position + Math.floor(passed / up), passed % up, first, groups)
    }
    loops.each(position + groups * 4 * down, phase, groups * 4 * up, count)
  }
}

/** Returns the maximum number of output samples of a block. */
export const outputCapacity = ({ up, down }: PolyphaseFilter): number =>
  Math.ceil((BLOCK_SAMPLES * up) / down) + 1

/**
 * Creates the kernel in plain TypeScript. It sums in doubles, because V8 converts every 32-bit float to one and back. Both
 * loops sum even and odd taps apart, so that each output has the same bits in either.
 */
export function createPlainKernel(filter: PolyphaseFilter): FilterKernel {
  const { up, down, length, taps } = filter
  const input = new Float64Array(length + BLOCK_SAMPLES)
  const output = new Float32Array(outputCapacity(filter))
  const step = Math.floor(down / up)
  const rest = down % up
  return {
    input,
    output,
    run: runLoops(filter, {
      groups(position, phase, first, groups) {
        const row = phase * length
        const end = row + length
        for (
          let group = 0, at = position, to = first;
          group < groups;
          group++, at += 4 * down, to += 4 * up
        ) {
          let a0 = 0
          let a1 = 0
          let b0 = 0
          let b1 = 0
          let c0 = 0
          let c1 = 0
          let d0 = 0
          let d1 = 0
          for (let tap = row, a = at; tap < end; tap += 2, a += 2) {
            const even = taps[tap] ?? 0
            const odd = taps[tap + 1] ?? 0
            a0 += even * (input[a] ?? 0)
            a1 += odd * (input[a + 1] ?? 0)
            b0 += even * (input[a + down] ?? 0)
            b1 += odd * (input[a + down + 1] ?? 0)
            c0 += even * (input[a + 2 * down] ?? 0)
            c1 += odd * (input[a + 2 * down + 1] ?? 0)
            d0 += even * (input[a + 3 * down] ?? 0)
            d1 += odd * (input[a + 3 * down + 1] ?? 0)
          }
          output[to] = a0 + a1
          output[to + up] = b0 + b1
          output[to + 2 * up] = c0 + c1
          output[to + 3 * up] = d0 + d1
        }
      },
      each(position, phase, first, end) {
        for (let to = first, at = position, row = phase; to < end; to++) {
          let even = 0
          let odd = 0
          const rowEnd = (row + 1) * length
          for (let tap = row * length, a = at; tap < rowEnd; tap += 2, a += 2) {
            even += (taps[tap] ?? 0) * (input[a] ?? 0)
            odd += (taps[tap + 1] ?? 0) * (input[a + 1] ?? 0)
          }
          output[to] = even + odd
          row += rest
          at += step
          if (row >= up) {
            row -= up
            at++
          }
        }
      },
    }),
  }
}
