/** Streams mono 16-bit samples from one rate to another. */
export interface Resampler {
  /** Takes any number of samples, gives those that can be told by now. */
  push(samples: Int16Array): Int16Array<ArrayBuffer>
  /** Gives the rest; the resampler is then as new. */
  flush(): Int16Array<ArrayBuffer>
  /** How far the output lags behind the input until `flush`, in input samples. */
  readonly latencySamples: number
}

/** Stop-band attenuation, and the part of the narrower band that passes unharmed. */
const ATTENUATION_DB = 100
const PASSBAND = 0.9

interface Filter {
  /** The rates in lowest terms: `up / down` output samples for each input sample. */
  up: number
  down: number
  /** Samples to each side of the point that is told. */
  half: number
  /** For each phase, its taps in the order of the samples. */
  taps: Float32Array
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** Modified Bessel function of the first kind, order 0, by its series (Abramowitz and Stegun 9.6.12). */
function besselI0(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-18; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

/** A Kaiser-windowed sinc, cut into phases (Oppenheim and Schafer, Discrete-Time Signal Processing, 7.5.3). */
function designFilter(fromHz: number, toHz: number): Filter {
  const divisor = gcd(fromHz, toHz)
  const up = toHz / divisor
  const down = fromHz / divisor
  const nyquistHz = Math.min(fromHz, toHz) / 2
  // Aliases may fall between the pass band's edge and Nyquist, where little is to be heard.
  const transitionHz = 2 * (1 - PASSBAND) * nyquistHz
  const widthRadians = (2 * Math.PI * transitionHz) / fromHz
  const half = Math.ceil((ATTENUATION_DB - 7.95) / (2.285 * widthRadians) / 2) + 1
  const beta = 0.1102 * (ATTENUATION_DB - 8.7)
  const cutoff = nyquistHz / fromHz
  const taps = new Float32Array(up * half * 2)
  for (let phase = 0; phase < up; phase++) {
    const row: number[] = []
    for (let index = 0; index < half * 2; index++) {
      const t = phase / up + half - 1 - index
      const window = besselI0(beta * Math.sqrt(Math.max(0, 1 - (t / half) ** 2))) / besselI0(beta)
      const x = 2 * Math.PI * cutoff * t
      row.push(window * (Math.abs(x) < 1e-9 ? 1 : Math.sin(x) / x))
    }
    // Each phase has a gain of one, so that a constant stays constant.
    const gain = row.reduce((sum, tap) => sum + tap, 0)
    taps.set(
      row.map((tap) => tap / gain),
      phase * half * 2,
    )
  }
  return { up, down, half, taps }
}

const filters = new Map<string, Filter>()

function filterFor(fromHz: number, toHz: number): Filter {
  const id = `${fromHz}:${toHz}`
  const filter = filters.get(id) ?? designFilter(fromHz, toHz)
  filters.set(id, filter)
  return filter
}

/**
 * Makes a resampler for any ratio of whole rates. N samples give `round(N * toHz / fromHz)`; the delay of the filter is
 * taken out; the result does not depend on how the input is cut. At most 100 dB of aliases, 90 % of the band unharmed.
 *
 * @throws RangeError where a rate is not a whole number from 1000 to 384000
 * @example
 * const resampler = createResampler({ fromHz: 22_050, toHz: 16_000 })
 * const head = resampler.push(new Int16Array(2205))
 * const tail = resampler.flush()
 * console.log(head.length + tail.length) // 1600
 */
export function createResampler(options: { fromHz: number; toHz: number }): Resampler {
  const { fromHz, toHz } = options
  for (const rate of [fromHz, toHz])
    if (!Number.isInteger(rate) || rate < 1000 || rate > 384_000)
      throw new RangeError('A sample rate must be a whole number of hertz from 1000 to 384000')
  if (fromHz === toHz)
    return { push: (samples) => samples.slice(), flush: () => new Int16Array(0), latencySamples: 0 }
  const { up, down, half, taps } = filterFor(fromHz, toHz)
  const length = half * 2

  let buffer = new Float32Array(4096)
  // The silence before the first sample.
  let filled = half - 1
  let position = 0
  let phase = 0
  let taken = 0
  let given = 0

  function append(samples: Int16Array | number): void {
    const count = typeof samples === 'number' ? samples : samples.length
    if (filled + count > buffer.length) {
      const larger = new Float32Array(Math.max(buffer.length * 2, filled + count))
      larger.set(buffer.subarray(0, filled))
      buffer = larger
    }
    if (typeof samples === 'number') buffer.fill(0, filled, filled + count)
    else buffer.set(samples, filled)
    filled += count
  }

  function produce(limit: number): Int16Array<ArrayBuffer> {
    const available = Math.max(0, Math.floor(((filled - length - position) * up - phase) / down) + 1)
    const count = Math.min(limit, available)
    const output = new Int16Array(count)
    for (let index = 0; index < count; index++) {
      let sum = 0
      const row = phase * length
      for (let tap = 0; tap < length; tap++) sum += (taps[row + tap] ?? 0) * (buffer[position + tap] ?? 0)
      output[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)))
      phase += down
      const steps = Math.floor(phase / up)
      position += steps
      phase -= steps * up
    }
    // What no later output reads is dropped.
    const used = Math.min(position, filled)
    buffer.copyWithin(0, used, filled)
    filled -= used
    position -= used
    given += count
    return output
  }

  function reset(): void {
    buffer.fill(0, 0, half - 1)
    filled = half - 1
    position = 0
    phase = 0
    taken = 0
    given = 0
  }

  return {
    latencySamples: half,
    push(samples) {
      append(samples)
      taken += samples.length
      return produce(Number.POSITIVE_INFINITY)
    },
    flush() {
      const wanted = Math.round((taken * toHz) / fromHz) - given
      append(half + Math.ceil(down / up) + 1)
      const output = produce(wanted)
      reset()
      return output
    },
  }
}
