import { estimatePitch } from '../analyse/pitch.ts'

/** Fills holes in a stream with similar sound. */
export interface LossConcealment {
  /** True once the fill of a hole has faded to silence, and until samples arrive again. */
  readonly isSilent: boolean
  /**
   * Takes received samples and returns them for playback. They are unchanged except after a hole, where they fade in.
   *
   * @param into destination, which may be the input; a new array by default. With it, `push` allocates nothing
   * @throws RangeError if its length differs
   */
  push(samples: Int16Array, into?: Int16Array): Int16Array
  /** Fills missing samples and returns them; allocates nothing. A hole may be filled in several parts of any length. */
  conceal<Samples extends Int16Array>(into: Samples): Samples
}

/** ITU-T G.711 Appendix I: a hole is filled at full level for 10 ms, then fades by 20 % per 10 ms to silence at 60 ms. */
const FULL_LEVEL_MS = 10
const SILENT_MS = 60
/** ITU-T G.711 Appendix I: one period is repeated in the first 10 ms, two in the next, three from then on. */
const MORE_PERIODS_MS = 10
const MOST_PERIODS = 3
/**
 * ITU-T G.711 Appendix I: the fade back lasts a quarter of a period, and 4 ms longer for each further 10 ms of the hole, up
 * to 10 ms.
 */
const LONGER_FADE_MS = 4
const LONGEST_FADE_MS = 10
/** ITU-T G.711 Appendix I: the longest period is 15 ms (66 Hz), and the history holds 3.25 of them. */
const HISTORY_MS = 48.75

/**
 * Creates a concealment of lost packets based on ITU-T G.711 Appendix I (09/1999). It fills a hole by repeating the last
 * pitch periods, more of them the longer the hole lasts, fading out within 60 ms; on recovery it fades into the received
 * samples. It works at any rate. It differs from the standard in two ways: holes and samples may have any length, and there
 * is no delay. The standard delays the output by 3.75 ms to smooth the start of a hole; here the step at the start fades out
 * within a quarter of a period.
 *
 * @throws RangeError if the rate is not a whole number of at least 8000
 * @example
 * const concealment = createLossConcealment({ sampleRateHz: 8000 })
 * concealment.push(Int16Array.from({ length: 800 }, (_, n) => 8000 * Math.sin(n / 8)))
 * const filled = concealment.conceal(new Int16Array(160))
 * console.log(Math.max(...filled) > 7000) // true
 */
export const createLossConcealment = (options: { sampleRateHz: number }): LossConcealment =>
  new PitchConcealment(options)

class PitchConcealment implements LossConcealment {
  readonly #sampleRateHz: number
  readonly #fullLevel: number
  readonly #silentFrom: number
  readonly #morePeriods: number
  // Leaves room for the rounding of periods at odd rates.
  readonly #size: number
  /** The samples played last: a ring, and a copy in order taken at the start of a hole. */
  readonly #ring: Int16Array<ArrayBuffer>
  readonly #history: Int16Array<ArrayBuffer>
  #written = 0
  #period = 0
  #quarter = 0
  /** Samples filled in the current hole; -1 if there is none. */
  #filled = -1
  /** Number of repeated periods and the position in them, and the position in the previous set, which is faded out. */
  #periods = 1
  #position = 0
  #fadingPosition = 0
  #fadingLeft = 0
  /** The step between the last sample played and the first one filled in. */
  #step = 0
  #recoveryLength = 0
  #recoveryLeft = 0

  constructor(options: { sampleRateHz: number }) {
    const { sampleRateHz } = options
    this.#sampleRateHz = sampleRateHz
    if (!Number.isInteger(sampleRateHz) || sampleRateHz < 8000)
      throw new RangeError('The sample rate of a concealment must be a whole number, at least 8000 Hz')
    this.#fullLevel = this.#toSamples(FULL_LEVEL_MS)
    this.#silentFrom = this.#toSamples(SILENT_MS)
    this.#morePeriods = this.#toSamples(MORE_PERIODS_MS)
    this.#size = this.#toSamples(HISTORY_MS) + 4
    this.#ring = new Int16Array(this.#size)
    this.#history = new Int16Array(this.#size)
  }

  get isSilent() {
    return this.#filled >= this.#silentFrom
  }

  push(samples: Int16Array, into: Int16Array = new Int16Array(samples.length)): Int16Array {
    if (into.length !== samples.length)
      throw new RangeError('The array to fill must be as long as the samples')
    if (into !== samples) into.set(samples)
    if (samples.length === 0) return into
    if (this.#filled >= 0 && this.#recoveryLeft === 0) {
      const longer = this.#toSamples(
        (LONGER_FADE_MS * Math.max(0, this.#filled - this.#morePeriods)) / this.#morePeriods,
      )
      this.#recoveryLength = this.#recoveryLeft = Math.min(
        this.#toSamples(LONGEST_FADE_MS),
        this.#quarter + longer,
      )
    }
    for (let index = 0; this.#recoveryLeft > 0 && index < into.length; index++) {
      const share = this.#recoveryLeft-- / (this.#recoveryLength + 1)
      into[index] = this.#toSample((into[index] ?? 0) * (1 - share) + this.#next() * share)
    }
    if (this.#recoveryLeft === 0) this.#filled = -1
    this.#remember(into)
    return into
  }

  conceal<Samples extends Int16Array>(into: Samples): Samples {
    if (this.#filled < 0 || this.#recoveryLeft > 0) this.#beginHole()
    for (let index = 0; index < into.length; index++) into[index] = this.#toSample(this.#next())
    this.#remember(into)
    return into
  }

  #toSamples(ms: number): number {
    return Math.round((ms * this.#sampleRateHz) / 1000)
  }

  #remember(samples: Int16Array): void {
    const kept = samples.length > this.#size ? samples.subarray(samples.length - this.#size) : samples
    const head = Math.min(kept.length, this.#size - this.#written)
    this.#ring.set(kept.subarray(0, head), this.#written)
    this.#ring.set(kept.subarray(head), 0)
    this.#written = (this.#written + kept.length) % this.#size
  }

  #beginHole(): void {
    this.#filled = 0
    this.#recoveryLeft = 0
    this.#history.set(this.#ring.subarray(this.#written))
    this.#history.set(this.#ring.subarray(0, this.#written), this.#size - this.#written)
    this.#period = estimatePitch(this.#history, this.#sampleRateHz)
    this.#quarter = Math.max(1, Math.round(this.#period / 4))
    this.#periods = 1
    this.#position = 0
    this.#fadingLeft = 0
    this.#step = (this.#history[this.#size - 1] ?? 0) - (this.#history[this.#size - 1 - this.#period] ?? 0)
  }

  /**
   * Returns a sample of the last `count` periods. Their end fades into the samples before their start, so the loop is
   * seamless.
   */
  #repeated(count: number, place: number): number {
    const length = count * this.#period
    const index = this.#size - length + place
    const value = this.#history[index] ?? 0
    const fromJoin = place - (length - this.#quarter)
    if (fromJoin < 0) return value
    const share = (fromJoin + 1) / (this.#quarter + 1)
    return value * (1 - share) + (this.#history[index - length] ?? 0) * share
  }

  #next(): number {
    if (this.#filled >= this.#silentFrom) {
      this.#filled++
      return 0
    }
    if (this.#filled > 0 && this.#filled % this.#morePeriods === 0 && this.#periods < MOST_PERIODS) {
      this.#fadingPosition = this.#position
      this.#fadingLeft = this.#quarter
      this.#periods++
      this.#position %= this.#period
    }
    let value = this.#repeated(this.#periods, this.#position)
    this.#position = (this.#position + 1) % (this.#periods * this.#period)
    if (this.#fadingLeft > 0) {
      const share = this.#fadingLeft / (this.#quarter + 1)
      value = value * (1 - share) + this.#repeated(this.#periods - 1, this.#fadingPosition) * share
      this.#fadingPosition = (this.#fadingPosition + 1) % ((this.#periods - 1) * this.#period)
      this.#fadingLeft--
    }
    if (this.#filled < this.#quarter) value += this.#step * (1 - (this.#filled + 1) / (this.#quarter + 1))
    const gain =
      this.#filled < this.#fullLevel
        ? 1
        : 1 - (this.#filled - this.#fullLevel) / (this.#silentFrom - this.#fullLevel)
    this.#filled++
    return value * gain
  }

  #toSample(value: number): number {
    return Math.max(-32_768, Math.min(32_767, Math.round(value)))
  }
}
