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
export function createLossConcealment(options: { sampleRateHz: number }): LossConcealment {
  const { sampleRateHz } = options
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 8000)
    throw new RangeError('The sample rate of a concealment must be a whole number, at least 8000 Hz')
  const toSamples = (ms: number) => Math.round((ms * sampleRateHz) / 1000)
  const fullLevel = toSamples(FULL_LEVEL_MS)
  const silentFrom = toSamples(SILENT_MS)
  const morePeriods = toSamples(MORE_PERIODS_MS)
  // Leaves room for the rounding of periods at odd rates.
  const size = toSamples(HISTORY_MS) + 4
  /** The samples played last: a ring, and a copy in order taken at the start of a hole. */
  const ring = new Int16Array(size)
  const history = new Int16Array(size)
  let written = 0

  let period = 0
  let quarter = 0
  /** Samples filled in the current hole; -1 if there is none. */
  let filled = -1
  /** Number of repeated periods and the position in them, and the position in the previous set, which is faded out. */
  let periods = 1
  let position = 0
  let fadingPosition = 0
  let fadingLeft = 0
  /** The step between the last sample played and the first one filled in. */
  let step = 0
  let recoveryLength = 0
  let recoveryLeft = 0

  function remember(samples: Int16Array): void {
    const kept = samples.length > size ? samples.subarray(samples.length - size) : samples
    const head = Math.min(kept.length, size - written)
    ring.set(kept.subarray(0, head), written)
    ring.set(kept.subarray(head), 0)
    written = (written + kept.length) % size
  }

  function beginHole(): void {
    filled = 0
    recoveryLeft = 0
    history.set(ring.subarray(written))
    history.set(ring.subarray(0, written), size - written)
    period = estimatePitch(history, sampleRateHz)
    quarter = Math.max(1, Math.round(period / 4))
    periods = 1
    position = 0
    fadingLeft = 0
    step = (history[size - 1] ?? 0) - (history[size - 1 - period] ?? 0)
  }

  /**
   * Returns a sample of the last `count` periods. Their end fades into the samples before their start, so the loop is
   * seamless.
   */
  function repeated(count: number, place: number): number {
    const length = count * period
    const index = size - length + place
    const value = history[index] ?? 0
    const fromJoin = place - (length - quarter)
    if (fromJoin < 0) return value
    const share = (fromJoin + 1) / (quarter + 1)
    return value * (1 - share) + (history[index - length] ?? 0) * share
  }

  function next(): number {
    if (filled >= silentFrom) {
      filled++
      return 0
    }
    if (filled > 0 && filled % morePeriods === 0 && periods < MOST_PERIODS) {
      fadingPosition = position
      fadingLeft = quarter
      periods++
      position %= period
    }
    let value = repeated(periods, position)
    position = (position + 1) % (periods * period)
    if (fadingLeft > 0) {
      const share = fadingLeft / (quarter + 1)
      value = value * (1 - share) + repeated(periods - 1, fadingPosition) * share
      fadingPosition = (fadingPosition + 1) % ((periods - 1) * period)
      fadingLeft--
    }
    if (filled < quarter) value += step * (1 - (filled + 1) / (quarter + 1))
    const gain = filled < fullLevel ? 1 : 1 - (filled - fullLevel) / (silentFrom - fullLevel)
    filled++
    return value * gain
  }

  const toSample = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value)))

  return {
    get isSilent() {
      return filled >= silentFrom
    },
    push(samples, into = new Int16Array(samples.length)) {
      if (into.length !== samples.length)
        throw new RangeError('The array to fill must be as long as the samples')
      if (into !== samples) into.set(samples)
      if (samples.length === 0) return into
      if (filled >= 0 && recoveryLeft === 0) {
        const longer = toSamples((LONGER_FADE_MS * Math.max(0, filled - morePeriods)) / morePeriods)
        recoveryLength = recoveryLeft = Math.min(toSamples(LONGEST_FADE_MS), quarter + longer)
      }
      for (let index = 0; recoveryLeft > 0 && index < into.length; index++) {
        const share = recoveryLeft-- / (recoveryLength + 1)
        into[index] = toSample((into[index] ?? 0) * (1 - share) + next() * share)
      }
      if (recoveryLeft === 0) filled = -1
      remember(into)
      return into
    },
    conceal(into) {
      if (filled < 0 || recoveryLeft > 0) beginHole()
      for (let index = 0; index < into.length; index++) into[index] = toSample(next())
      remember(into)
      return into
    },
  }
}
