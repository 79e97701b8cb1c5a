import { filterFor, type PolyphaseFilter, type ResamplerProfile } from './filter.ts'
import { BLOCK_SAMPLES, createPlainKernel, type FilterKernel } from './kernel.ts'
import { createWasmKernel, findWasmModule } from './wasm-kernel.ts'

/** Streams mono samples from one rate to another. */
export interface Resampler<Samples extends Int16Array | Float32Array = Int16Array> {
  /** Takes any number of samples and returns the output available so far in a new array. */
  push(samples: Samples): Samples
  /**
   * Like `push`, but writes to an array of the caller and allocates nothing, for loops that run for hours.
   *
   * @returns the number of samples written
   * @throws RangeError if `into` is too short; it is always long enough with `maxOutputSamples(samples.length)`. No samples
   *   are taken then
   */
  pushInto(samples: Samples, into: Samples): number
  /** Returns the remaining output and resets the resampler. */
  flush(): Samples
  /** Returns the maximum number of output samples of one push. */
  maxOutputSamples(inputSamples: number): number
  /** Lag of the output behind the input until `flush`, in input samples. */
  readonly latencySamples: number
  /** WebAssembly if it can run, else plain code. */
  readonly kernel: 'wasm' | 'plain'
}

/** A kernel by name, or a `WebAssembly.Module` compiled from `@vaani/pcm-audio/resampler.wasm`. */
export type ResamplerKernel = 'auto' | 'plain' | object

export interface ResamplerOptions {
  /** Whole hertz, 1000 to 384,000. */
  fromHz: number
  /** Whole hertz, 1000 to 384,000. */
  toHz: number
  /** `standard` by default; see `RESAMPLER_PROFILES`. */
  profile?: ResamplerProfile
  /**
   * `auto`, the default, compiles WebAssembly if that is allowed; `plain` never uses it. Runtimes that run WebAssembly but
   * do not compile it, such as workerd, import `@vaani/pcm-audio/resampler.wasm` and pass the `WebAssembly.Module`.
   */
  kernel?: ResamplerKernel
}

/** Transfers samples to a kernel and back. */
interface Port<Samples> {
  create(length: number): Samples
  load(samples: Samples, from: number, input: FilterKernel['input'], at: number, count: number): void
  store(output: Float32Array, count: number, into: Samples, at: number): void
}

/** See convert/quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

const int16Port: Port<Int16Array> = {
  create: (length) => new Int16Array(length),
  load(samples, from, input, at, count) {
    for (let index = 0; index < count; index++) input[at + index] = samples[from + index] ?? 0
  },
  store(output, count, into, at) {
    for (let index = 0; index < count; index++) {
      const sample = output[index] ?? 0
      const clamped = sample > 32_767 ? 32_767 : sample < -32_768 ? -32_768 : sample
      into[at + index] = clamped + ROUNDER - ROUNDER
    }
  },
}

const float32Port: Port<Float32Array> = {
  create: (length) => new Float32Array(length),
  load(samples, from, input, at, count) {
    for (let index = 0; index < count; index++) input[at + index] = samples[from + index] ?? 0
  },
  store(output, count, into, at) {
    for (let index = 0; index < count; index++) into[at + index] = output[index] ?? 0
  },
}

const NO_ROOM = 'The array to fill must have room for maxOutputSamples of the samples'

const wasmKernels = new WeakMap<PolyphaseFilter, FilterKernel>()
const plainKernels = new WeakMap<PolyphaseFilter, FilterKernel>()

/** Returns the kernel that all resamplers of a filter share. */
function kernelFor(
  filter: PolyphaseFilter,
  wanted: ResamplerKernel,
): Pick<Resampler, 'kernel'> & { run: FilterKernel } {
  const module = wanted === 'plain' ? undefined : findWasmModule(wanted === 'auto' ? undefined : wanted)
  const wasm = module && (wasmKernels.get(filter) ?? createWasmKernel(filter, module))
  if (wasm !== undefined) {
    wasmKernels.set(filter, wasm)
    return { kernel: 'wasm', run: wasm }
  }
  const plain = plainKernels.get(filter) ?? createPlainKernel(filter)
  plainKernels.set(filter, plain)
  return { kernel: 'plain', run: plain }
}

function createPortResampler<Samples extends Int16Array | Float32Array>(
  options: ResamplerOptions,
  port: Port<Samples>,
): Resampler<Samples> {
  const { fromHz, toHz, profile = 'standard', kernel = 'auto' } = options
  for (const rate of [fromHz, toHz])
    if (!Number.isInteger(rate) || rate < 1000 || rate > 384_000)
      throw new RangeError('A sample rate must be a whole number of hertz from 1000 to 384000')
  if (fromHz === toHz) return createCopier(port)
  const filter = filterFor(fromHz, toHz, profile)
  return createFilterResampler(port, filter, kernelFor(filter, kernel))
}

function createFilterResampler<Samples extends Int16Array | Float32Array>(
  port: Port<Samples>,
  filter: PolyphaseFilter,
  { kernel, run }: ReturnType<typeof kernelFor>,
): Resampler<Samples> {
  const { up, down, length } = filter
  const blocks = new BlockFilter(port, filter, run)
  let taken = 0
  function pushInto(samples: Samples, into: Samples): number {
    if (into.length < blocks.available(samples.length)) throw new RangeError(NO_ROOM)
    taken += samples.length
    return blocks.process(samples, samples.length, into)
  }
  return {
    kernel,
    latencySamples: length / 2,
    maxOutputSamples: (inputSamples) => Math.ceil((inputSamples * up) / down) + 1,
    pushInto,
    push(samples) {
      const output = port.create(blocks.available(samples.length))
      pushInto(samples, output)
      return output
    },
    flush() {
      const output = port.create(Math.round((taken * up) / down) - blocks.given)
      blocks.process(undefined, length / 2 + Math.ceil(down / up) + 1, output)
      blocks.reset()
      taken = 0
      return output
    },
  }
}

/** Runs a filter over blocks of samples, and keeps the input that later outputs still need. */
class BlockFilter<Samples extends Int16Array | Float32Array> {
  /** Samples written since the start. */
  given = 0
  readonly #port: Port<Samples>
  readonly #filter: PolyphaseFilter
  readonly #kernel: FilterKernel
  /** At first, the silence before the first sample. */
  readonly #history: Float32Array
  #held = 0
  #position = 0
  #phase = 0
  /** Reused for all blocks, so that a push allocates nothing. */
  readonly #block = { from: 0, count: 0, at: 0, limit: 0 }

  constructor(port: Port<Samples>, filter: PolyphaseFilter, kernel: FilterKernel) {
    this.#port = port
    this.#filter = filter
    this.#kernel = kernel
    this.#history = new Float32Array(filter.length)
    this.reset()
  }

  reset(): void {
    this.#history.fill(0)
    this.#held = this.#filter.length / 2 - 1
    this.#position = 0
    this.#phase = 0
    this.given = 0
  }

  /** Returns the number of output samples that can be computed with `more` input samples. */
  available(more: number): number {
    const { up, down, length } = this.#filter
    const reach = this.#held + more - length - this.#position + 1
    return Math.max(0, Math.ceil((reach * up - this.#phase) / down))
  }

  /** Filters samples, silence if undefined, as far as there is room. @returns how many were written */
  process(samples: Samples | undefined, total: number, into: Samples): number {
    const block = this.#block
    let written = 0
    for (let from = 0; from < total; from += BLOCK_SAMPLES) {
      block.from = from
      block.count = Math.min(BLOCK_SAMPLES, total - from)
      block.at = written
      block.limit = into.length - written
      written += this.#advance(samples, into)
    }
    return written
  }

  /** Takes the block, and writes at most `limit` samples. */
  #advance(samples: Samples | undefined, into: Samples): number {
    const { up, down } = this.#filter
    const { input, output } = this.#kernel
    const { from, count: more, at, limit } = this.#block
    const history = this.#history
    const held = this.#held
    for (let index = 0; index < held; index++) input[index] = history[index] ?? 0
    if (samples === undefined) input.fill(0, held, held + more)
    else this.#port.load(samples, from, input, held, more)
    const filled = held + more
    const count = Math.min(this.available(more), limit)
    this.#kernel.run(this.#position, this.#phase, count)
    this.#port.store(output, count, into, at)
    const phases = this.#phase + count * down
    const reached = this.#position + Math.floor(phases / up)
    this.#phase = phases % up
    // Drop the input that no later output reads.
    const used = Math.min(reached, filled)
    const left = filled - used
    for (let index = 0; index < left; index++) history[index] = input[used + index] ?? 0
    this.#held = left
    this.#position = reached - used
    this.given += count
    return count
  }
}

/** Creates a resampler for equal rates, which copies the samples unchanged. */
function createCopier<Samples extends Int16Array | Float32Array>(port: Port<Samples>): Resampler<Samples> {
  return {
    kernel: 'plain',
    latencySamples: 0,
    maxOutputSamples: (inputSamples) => inputSamples,
    push(samples) {
      const copy = port.create(samples.length)
      copy.set(samples)
      return copy
    },
    pushInto(samples, into) {
      if (into.length < samples.length) throw new RangeError(NO_ROOM)
      into.set(samples)
      return samples.length
    },
    flush: () => port.create(0),
  }
}

/**
 * Creates a resampler of 16-bit samples for any ratio of whole rates. N samples give `round(N * toHz / fromHz)`. The delay
 * of the filter is compensated. Chunk boundaries do not change a bit of the result. The two kernels round their sums
 * differently, so that they differ in a few samples by one step.
 *
 * @throws TypeError if the kernel is a module other than that of this package
 * @throws RangeError if a rate is not a whole number from 1000 to 384,000, or if the two have so small a common divisor that
 *   the filter would take over 32 MiB
 * @example
 * const resampler = createResampler({ fromHz: 22_050, toHz: 16_000 })
 * const head = resampler.push(new Int16Array(2205))
 * const tail = resampler.flush()
 * console.log(head.length + tail.length) // 1600
 */
export const createResampler = (options: ResamplerOptions): Resampler =>
  createPortResampler(options, int16Port)

/**
 * Creates a resampler of floats like `createResampler`. It neither rounds nor clamps.
 *
 * @example
 * const resampler = createFloatResampler({ fromHz: 48_000, toHz: 16_000, profile: 'strict' })
 * const into = new Float32Array(resampler.maxOutputSamples(480))
 * console.log(resampler.pushInto(new Float32Array(480), into) <= into.length) // true
 */
export const createFloatResampler = (options: ResamplerOptions): Resampler<Float32Array> =>
  createPortResampler(options, float32Port)
