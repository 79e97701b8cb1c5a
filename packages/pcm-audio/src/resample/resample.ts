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
  const { fromHz, toHz, profile = 'standard', kernel: wanted = 'auto' } = options
  for (const rate of [fromHz, toHz])
    if (!Number.isInteger(rate) || rate < 1000 || rate > 384_000)
      throw new RangeError('A sample rate must be a whole number of hertz from 1000 to 384000')
  if (fromHz === toHz) return createCopier(port)
  const filter = filterFor(fromHz, toHz, profile)
  const { up, down, length } = filter
  const half = length / 2
  const { kernel, run } = kernelFor(filter, wanted)
  // Input that later outputs still need; at first, the silence before the first sample.
  const history = new Float32Array(length)
  let held = 0
  let position = 0
  let phase = 0
  let taken = 0
  let given = 0
  const reset = () => {
    history.fill(0)
    held = half - 1
    position = 0
    phase = 0
    taken = 0
    given = 0
  }
  reset()

  /** Returns the number of output samples that can be computed from `filled` input samples. */
  const available = (filled: number): number =>
    Math.max(0, Math.ceil(((filled - length - position + 1) * up - phase) / down))

  /** Takes one block, of silence if `samples` is undefined, and writes at most `limit` samples. */
  function advance(
    samples: Samples | undefined,
    block: { from: number; count: number; at: number; limit: number },
    into: Samples,
  ): number {
    const { input, output } = run
    for (let index = 0; index < held; index++) input[index] = history[index] ?? 0
    if (samples === undefined) input.fill(0, held, held + block.count)
    else port.load(samples, block.from, input, held, block.count)
    const filled = held + block.count
    const count = Math.min(available(filled), block.limit)
    run.run(position, phase, count)
    port.store(output, count, into, block.at)
    const phases = phase + count * down
    position += Math.floor(phases / up)
    phase = phases % up
    // Drop the input that no later output reads.
    const used = Math.min(position, filled)
    held = filled - used
    position -= used
    for (let index = 0; index < held; index++) history[index] = input[used + index] ?? 0
    given += count
    return count
  }

  // Reused for all blocks, so that a push allocates nothing.
  const block = { from: 0, count: 0, at: 0, limit: 0 }
  function process(samples: Samples | undefined, total: number, into: Samples): number {
    let written = 0
    for (let from = 0; from < total; from += BLOCK_SAMPLES) {
      block.from = from
      block.count = Math.min(BLOCK_SAMPLES, total - from)
      block.at = written
      block.limit = into.length - written
      written += advance(samples, block, into)
    }
    return written
  }

  const resampler: Resampler<Samples> = {
    kernel,
    latencySamples: half,
    maxOutputSamples: (inputSamples) => Math.ceil((inputSamples * up) / down) + 1,
    pushInto(samples, into) {
      if (into.length < available(held + samples.length)) throw new RangeError(NO_ROOM)
      taken += samples.length
      return process(samples, samples.length, into)
    },
    push(samples) {
      const output = port.create(available(held + samples.length))
      resampler.pushInto(samples, output)
      return output
    },
    flush() {
      const output = port.create(Math.round((taken * up) / down) - given)
      process(undefined, half + Math.ceil(down / up) + 1, output)
      reset()
      return output
    },
  }
  return resampler
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
