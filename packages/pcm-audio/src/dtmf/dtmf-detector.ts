import { DTMF_HIGH_HZ, DTMF_LOW_HZ, type DtmfKey, dtmfKeyAt } from './keypad.ts'
import { hannWindow } from '../analyse/fft.ts'

/** A detected key press. */
export interface DtmfPress {
  key: DtmfKey
  /** Start of its tone from the first sample, to within about 5 ms. */
  startMs: number
  /** Levels of its two tones; a full-scale sine is 0. */
  lowDbfs: number
  highDbfs: number
}

/** Detects keys in a stream. */
export interface DtmfDetector {
  /** Takes any number of samples and returns the keys that are now certain, 35 to 40 ms after the start of their tone. */
  push(samples: Int16Array): DtmfPress[]
  /** Returns the keys in the last samples and resets the detector. */
  flush(): DtmfPress[]
}

export interface DtmfDetectorOptions {
  /** From 8000 to 192000. */
  sampleRateHz: number
  /**
   * Minimum level of each tone; -40 by default. ITU-T Q.24 requires that -25 dBm is heard, which is -28 dBFS in G.711, and
   * that -55 dBm is not.
   */
  minimumLevelDbfs?: number
  /** How much weaker the higher tone may be; 9 by default, because Q.24 (AT&T) requires 8. */
  forwardTwistDb?: number
  /** How much stronger the higher tone may be; 5 by default, because Q.24 (AT&T) requires 4. */
  reverseTwistDb?: number
}

/** Long enough to separate the rows, and short enough to distinguish a 23 ms tone from a 40 ms one. */
const WINDOW_SECONDS = 0.02
const HOP_SECONDS = 0.004
/** ITU-T Q.24, table A-1: tones 1.5 % off (and 2 Hz) must be heard, tones 3.5 % off must not. This is halfway. */
const TOLERANCE = 0.025
/** Minimum share of the two tones in the total power. Speech has overtones and fails; noise 8 dB below passes. */
const PURITY = 0.8
/** A window with an edge of the tone is impure, so a tone is pure for 10 ms less than it lasts: 40 ms give 7 hops, 23 ms 4. */
const HOPS_TO_HEAR = 6
/** Likewise a break is impure for 10 ms longer: one of 10 ms (5 hops) must be bridged, one of 40 ms (12) must separate keys. */
const HOPS_TO_RELEASE = 8

/** Relative amplitude that a Hann window leaves of a tone this many bins away from the measured frequency. */
function hannResponse(bins: number): number {
  const x = Math.PI * bins
  return Math.abs(bins) < 1e-6 ? 1 : Math.sin(x) / (x * (1 - bins * bins))
}

/** Measures one of the eight frequencies by Goertzel's algorithm (Amer. Math. Monthly 65, 1958). */
function createTone(frequencyHz: number, sampleRateHz: number, hop: number) {
  const radians = (2 * Math.PI * frequencyHz) / sampleRateHz
  const cosine = Math.cos(radians)
  const sine = Math.sin(radians)
  const turn = radians * hop
  let real = 0
  let imaginary = 0
  let earlierReal = 0
  let earlierImaginary = 0
  return {
    frequencyHz,
    listen(windowed: Float64Array): void {
      let last = 0
      let beforeLast = 0
      for (let n = 0; n < windowed.length; n++) {
        const next = (windowed[n] ?? 0) + 2 * cosine * last - beforeLast
        beforeLast = last
        last = next
      }
      earlierReal = real
      earlierImaginary = imaginary
      real = last - cosine * beforeLast
      imaginary = sine * beforeLast
    },
    power: () => real * real + imaginary * imaginary,
    /** Returns the tone's distance from the frequency, computed from the phase change since the previous window. */
    offsetHz(): number {
      const moved =
        Math.atan2(
          imaginary * earlierReal - real * earlierImaginary,
          real * earlierReal + imaginary * earlierImaginary,
        ) - turn
      const wrapped = moved - 2 * Math.PI * Math.round(moved / (2 * Math.PI))
      return (wrapped * sampleRateHz) / (2 * Math.PI * hop)
    },
  }
}

type Tone = ReturnType<typeof createTone>

function loudest(tones: readonly Tone[]): { tone: Tone | undefined; index: number } {
  let index = 0
  for (let other = 1; other < tones.length; other++)
    if ((tones[other]?.power() ?? 0) > (tones[index]?.power() ?? 0)) index = other
  return { tone: tones[index], index }
}

/** Creates a function that recognizes the key in each of consecutive windows. */
function createListener(options: Required<DtmfDetectorOptions>, length: number, hop: number) {
  const { sampleRateHz, minimumLevelDbfs, forwardTwistDb, reverseTwistDb } = options
  const window = hannWindow(length)
  const windowed = new Float64Array(length)
  const rows = DTMF_LOW_HZ.map((frequencyHz) => createTone(frequencyHz, sampleRateHz, hop))
  const columns = DTMF_HIGH_HZ.map((frequencyHz) => createTone(frequencyHz, sampleRateHz, hop))

  /** Returns the power of a sine at or near the tone's frequency, 1 for full scale; 0 if it is not near enough. */
  function sinePower(tone: Tone): number {
    const offsetHz = tone.offsetHz()
    if (Math.abs(offsetHz) > TOLERANCE * tone.frequencyHz) return 0
    return tone.power() * (4 / length / hannResponse((offsetHz * length) / sampleRateHz)) ** 2
  }

  return (samples: Float64Array): Omit<DtmfPress, 'startMs'> | undefined => {
    let energy = 0
    for (let n = 0; n < length; n++) {
      const value = (samples[n] ?? 0) * (window[n] ?? 0)
      windowed[n] = value
      energy += value * value
    }
    for (const tone of rows) tone.listen(windowed)
    for (const tone of columns) tone.listen(windowed)
    const row = loudest(rows)
    const column = loudest(columns)
    if (!row.tone || !column.tone) return undefined
    const low = sinePower(row.tone)
    const high = sinePower(column.tone)
    const lowDbfs = 10 * Math.log10(low)
    const highDbfs = 10 * Math.log10(high)
    const twistDb = highDbfs - lowDbfs
    // A full-scale sine has the energy 3/16 of the length under a Hann window.
    const isPure = ((low + high) * 3 * length) / 16 >= PURITY * energy
    const isLoud = Math.min(lowDbfs, highDbfs) >= minimumLevelDbfs
    if (!isPure || !isLoud || twistDb < -forwardTwistDb || twistDb > reverseTwistDb) return undefined
    return { key: dtmfKeyAt(row.index, column.index), lowDbfs, highDbfs }
  }
}

/**
 * Creates a detector of keys with the operational limits of ITU-T Q.24 (AT&T): it hears tones up to 1.5 % off but not 3.5 %
 * off, and 40 ms of tone but not 23 ms; 40 ms of pause separate two keys, a break of 10 ms does not. It computes each
 * frequency from the phase of Goertzel's algorithm, window by window. Chunk boundaries do not affect the result; memory is
 * constant.
 *
 * @throws RangeError if the rate is out of range
 * @example
 * const detector = createDtmfDetector({ sampleRateHz: 8000 })
 * const presses = detector.push(generateDtmf('42#', { sampleRateHz: 8000 }))
 * console.log(presses.map(({ key }) => key).join('')) // 42#
 */
export function createDtmfDetector(options: DtmfDetectorOptions): DtmfDetector {
  const { sampleRateHz } = options
  if (!Number.isFinite(sampleRateHz) || sampleRateHz < 8000 || sampleRateHz > 192_000)
    throw new RangeError('A sample rate for tones must be from 8000 to 192000 Hz')
  const limits = { minimumLevelDbfs: -40, forwardTwistDb: 9, reverseTwistDb: 5, ...options }
  const length = Math.round(WINDOW_SECONDS * sampleRateHz)
  const hop = Math.round(HOP_SECONDS * sampleRateHz)
  const buffer = new Float64Array(length)

  const start = () => ({
    listen: createListener(limits, length, hop),
    /** The first window ends with the first hop; the rest of it is silence. */
    filled: length - hop,
    windows: 0,
    candidate: undefined as DtmfKey | undefined,
    hopsHeard: 0,
    sounding: undefined as DtmfKey | undefined,
    hopsMissed: 0,
  })
  let state = start()

  function hear(presses: DtmfPress[]): void {
    const heard = state.listen(buffer)
    state.windows++
    if (heard && heard.key === state.sounding) {
      state.hopsMissed = 0
      state.candidate = undefined
      return
    }
    if (state.sounding && ++state.hopsMissed === HOPS_TO_RELEASE) state.sounding = undefined
    state.hopsHeard = heard && heard.key === state.candidate ? state.hopsHeard + 1 : 1
    state.candidate = heard?.key
    if (!heard || state.hopsHeard < HOPS_TO_HEAR) return
    state.sounding = heard.key
    state.hopsMissed = 0
    // The middle of the first pure window lies 5 ms after the start of the tone.
    const firstMiddle = (state.windows - HOPS_TO_HEAR + 1) * hop - length / 2
    const startMs = Math.max(0, (firstMiddle * 1000) / sampleRateHz - 5)
    presses.push({ ...heard, startMs })
  }

  function take(samples: Int16Array, presses: DtmfPress[]): void {
    for (let index = 0; index < samples.length; index++) {
      buffer[state.filled++] = (samples[index] ?? 0) / 32_768
      if (state.filled < length) continue
      hear(presses)
      buffer.copyWithin(0, hop)
      state.filled = length - hop
    }
  }

  return {
    push(samples) {
      const presses: DtmfPress[] = []
      take(samples, presses)
      return presses
    },
    flush() {
      const presses: DtmfPress[] = []
      take(new Int16Array(length), presses)
      buffer.fill(0)
      state = start()
      return presses
    },
  }
}
