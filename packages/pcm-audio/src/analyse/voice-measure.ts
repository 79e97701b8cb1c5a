import { createPowerSpectrum, hannWindow } from './fft.ts'
import { createVoicing } from './voicing.ts'

const HOPS_PER_SECOND = 100
const WINDOW_SECONDS = 0.032
const BANDS = 16
const LOWEST_HZ = 100
const HIGHEST_HZ = 3800
/**
 * Weight of the newest level in a band's mean. The mean is of levels in dB: a mean of powers would retain a click for a
 * quarter of a second.
 */
const SMOOTHING = 0.3
/** Minimum noise floor of a band; below it lies the noise of 16 bits. */
const LEAST_POWER_DB = -90
/** Maximum prominence of a band, so that a single band cannot make a voice. */
const MOST_PROMINENCE_DB = 20
/** The noise floor is this quantile of a band's level, tracked in steps. */
const FLOOR_QUANTILE = 0.2
const FLOOR_STEP_DB = 0.1
/** The first steps are larger, to find the floor quickly. */
const SETTLING_HOPS = 30
const SETTLING_FACTOR = 10
/** A level further below the floor means that the noise has stopped, not that it fluctuates. */
const LARGEST_DROP_DB = 10
/** A sound without a dip during six parts of a quarter second is not a voice (Martin, IEEE T-SAP 9(5), 2001). */
const PARTS = 6
const HOPS_PER_PART = 25
/** Voices stand out most below some 1 kHz: the lowest bands weigh this much, all bands the rest. */
const LOW_BANDS = 6
const LOW_WEIGHT = 0.5
/** What the voicing of a sound adds to its prominence: so many dB per unit above that of a doubtful sound, within bounds. */
const VOICING_DB = 13
const DOUBTFUL_VOICING = 0.35
const LEAST_VOICING = -0.15
const MOST_VOICING = 0.25
/** The highest voicing in so many hops counts, because consonants have none. */
const VOICING_HOPS = 5
/** What its peakiness adds. */
const PEAKINESS_WEIGHT = 0.8
const MOST_PEAKINESS_DB = 6
/** Nothing is added to a sound that does not stand out, such as a hum, and all from so many dB on. */
const LEAST_PROMINENCE_DB = 1.25
const FULL_PROMINENCE_DB = 2.5
/** Peakiness of white noise under a Hann window, whose powers are exponentially distributed; a flat spectrum has 0. */
const NOISE_PEAKINESS_DB = (10 * 0.5772156649) / Math.LN10

const toMel = (hz: number) => 2595 * Math.log10(1 + hz / 700)
const fromMel = (mel: number) => 700 * (10 ** (mel / 2595) - 1)

/** Measurements of the last 32 ms. */
export interface VoiceMeasure {
  /** Takes samples from an index up to the end of a hop. Returns their number. */
  take(samples: Int16Array, from: number): number
  /** Whether the last `take` completed a hop, so that the measurements are new. */
  readonly isReady: boolean
  readonly levelDbfs: number
  /** Mean level of the bands above their noise floors, plus what voicing and peakiness add. */
  readonly evidenceDb: number
  /** How much less flat the spectrum is than noise, relative to the noise floors. */
  readonly peakinessDb: number
  reset(): void
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** Moves a level towards a quantile of the values by one step. Up and down steps balance at the quantile. */
const stepTowards = (level: number, value: number, quantile: number, step: number): number =>
  level + (value > level ? step * quantile : -step * (1 - quantile))

function createBandFloors() {
  const levels = new Float64Array(BANDS)
  const floors = new Float64Array(BANDS)
  const minima = new Float64Array(BANDS * PARTS)
  let hops = 0
  return {
    /** Noise floor of each band, in dB. */
    floors,
    begin(): void {
      const part = Math.floor(hops / HOPS_PER_PART) % PARTS
      if (hops === 0) minima.fill(Number.POSITIVE_INFINITY)
      else if (hops % HOPS_PER_PART === 0)
        minima.fill(Number.POSITIVE_INFINITY, part * BANDS, (part + 1) * BANDS)
      hops++
    },
    /** Takes a band's power and returns its prominence above the floor. */
    prominenceDb(band: number, power: number): number {
      const isFirst = hops === 1
      const newest = 10 * Math.log10(power)
      const level = isFirst ? newest : (1 - SMOOTHING) * (levels[band] ?? 0) + SMOOTHING * newest
      levels[band] = level
      const slot = (Math.floor((hops - 1) / HOPS_PER_PART) % PARTS) * BANDS + band
      minima[slot] = Math.min(minima[slot] ?? 0, level)
      let least = Number.POSITIVE_INFINITY
      for (let other = band; other < minima.length; other += BANDS)
        least = Math.min(least, minima[other] ?? 0)
      const step = FLOOR_STEP_DB * (hops < SETTLING_HOPS ? SETTLING_FACTOR : 1)
      const stepped = isFirst ? level : stepTowards(floors[band] ?? 0, level, FLOOR_QUANTILE, step)
      const floor = Math.min(Math.max(stepped, least, LEAST_POWER_DB), level + LARGEST_DROP_DB)
      floors[band] = floor
      return Math.min(Math.max(level - floor, 0), MOST_PROMINENCE_DB)
    },
    reset(): void {
      hops = 0
    },
  }
}

/** Creates the measurements that distinguish a voice from noise. Allocates nothing after creation. */
export const createVoiceMeasure = (sampleRateHz: number): VoiceMeasure => new MelVoiceMeasure(sampleRateHz)

class MelVoiceMeasure implements VoiceMeasure {
  readonly #sampleRateHz: number
  readonly #length: number
  readonly #size: number
  readonly #window: Float64Array<ArrayBuffer>
  readonly #powerOf: (samples: Float64Array, into: Float64Array) => void
  readonly #recent: Float64Array<ArrayBuffer>
  readonly #windowed: Float64Array<ArrayBuffer>
  readonly #power: Float64Array<ArrayBuffer>
  // A full-scale sine gives 0 dB over the bins that it fills, because the energy of the window is 3/8 of its length.
  readonly #scale: number
  readonly #edges: Uint32Array<ArrayBuffer>
  readonly #bands = createBandFloors()
  readonly #voicingOf: (power: Float64Array) => number
  readonly #voicings = new Float64Array(VOICING_HOPS)
  #hops = 0
  #position = 0
  #prominenceDb = 0
  #hopEnd: number
  readonly #measures = { isReady: false, levelDbfs: 0, evidenceDb: 0, peakinessDb: 0 }

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz
    this.#length = Math.round(WINDOW_SECONDS * sampleRateHz)
    this.#size = 2 ** Math.ceil(Math.log2(this.#length))
    this.#window = hannWindow(this.#length)
    this.#powerOf = createPowerSpectrum(this.#size)
    this.#recent = new Float64Array(this.#length)
    this.#windowed = new Float64Array(this.#size)
    this.#power = new Float64Array(this.#size / 2 + 1)
    this.#scale = 4 / (this.#size * this.#length * (3 / 8)) / 32_768 ** 2
    this.#edges = Uint32Array.from({ length: BANDS + 1 }, (_, band) => {
      const mel = toMel(LOWEST_HZ) + ((toMel(HIGHEST_HZ) - toMel(LOWEST_HZ)) * band) / BANDS
      return Math.round((fromMel(mel) * this.#size) / sampleRateHz)
    })
    this.#voicingOf = createVoicing(sampleRateHz / this.#size, this.#edges[0] ?? 0)
    this.#hopEnd = Math.round(sampleRateHz / HOPS_PER_SECOND)
  }

  take(samples: Int16Array, from: number): number {
    const count = Math.min(samples.length - from, this.#hopEnd - this.#position)
    this.#recent.copyWithin(0, count)
    for (let n = 0; n < count; n++) this.#recent[this.#length - count + n] = samples[from + n] ?? 0
    this.#position += count
    this.#measures.isReady = this.#position === this.#hopEnd
    if (this.#measures.isReady) {
      this.#hops++
      this.#hopEnd = Math.round(((this.#hops + 1) * this.#sampleRateHz) / HOPS_PER_SECOND)
      // A window that is not yet full would set the floor too low.
      if (this.#position >= this.#length) this.#measure()
    }
    return count
  }

  get isReady() {
    return this.#measures.isReady
  }

  get levelDbfs() {
    return this.#measures.levelDbfs
  }

  get evidenceDb() {
    return this.#measures.evidenceDb
  }

  get peakinessDb() {
    return this.#measures.peakinessDb
  }

  reset(): void {
    this.#recent.fill(0)
    this.#bands.reset()
    this.#voicings.fill(0)
    this.#hops = this.#position = this.#prominenceDb = 0
    this.#hopEnd = Math.round(this.#sampleRateHz / HOPS_PER_SECOND)
    Object.assign(this.#measures, { isReady: false, levelDbfs: 0, evidenceDb: 0, peakinessDb: 0 })
  }

  #measure(): void {
    for (let n = 0; n < this.#length; n++) this.#windowed[n] = (this.#recent[n] ?? 0) * (this.#window[n] ?? 0)
    this.#powerOf(this.#windowed, this.#power)
    this.#bands.begin()
    let total = 0
    let prominence = 0
    let mean = 0
    let logarithms = 0
    for (let band = 0; band < BANDS; band++) {
      const start = this.#edges[band] ?? 0
      const end = this.#edges[band + 1] ?? 0
      let sum = 0
      for (let bin = start; bin < end; bin++) sum += (this.#power[bin] ?? 0) * this.#scale
      total += sum
      const weight = (1 - LOW_WEIGHT) / BANDS + (band < LOW_BANDS ? LOW_WEIGHT / LOW_BANDS : 0)
      prominence += weight * this.#bands.prominenceDb(band, sum / (end - start) + 1e-12)
      const noise = 10 ** ((this.#bands.floors[band] ?? 0) / 10)
      // A band has so few bins that the product of their ratios stays within the range of a number.
      let product = 1
      for (let bin = start; bin < end; bin++) {
        const ratio = ((this.#power[bin] ?? 0) * this.#scale + 1e-12) / noise
        mean += ratio
        product *= ratio
      }
      logarithms += Math.log10(product)
    }
    const bins = (this.#edges[BANDS] ?? 0) - (this.#edges[0] ?? 0)
    const peakiness = 10 * Math.log10(mean / bins) - (10 * logarithms) / bins - NOISE_PEAKINESS_DB
    this.#measures.levelDbfs = 10 * Math.log10(total)
    // Running means that settle within three hops.
    this.#prominenceDb += 0.6 * (prominence - this.#prominenceDb)
    this.#measures.peakinessDb += (peakiness - this.#measures.peakinessDb) / 2
    this.#voicings[this.#hops % VOICING_HOPS] = this.#voicingOf(this.#power)
    this.#measures.evidenceDb = this.#prominenceDb + this.#addedDb()
  }

  /** What voicing and peakiness add to the prominence; little voicing subtracts. */
  #addedDb(): number {
    const voicing = this.#voicings.reduce((highest, value) => Math.max(highest, value)) - DOUBTFUL_VOICING
    const standsOut = clamp(
      (this.#prominenceDb - LEAST_PROMINENCE_DB) / (FULL_PROMINENCE_DB - LEAST_PROMINENCE_DB),
      0,
      1,
    )
    const peaksDb = PEAKINESS_WEIGHT * clamp(this.#measures.peakinessDb, 0, MOST_PEAKINESS_DB)
    return (
      VOICING_DB * clamp(voicing, LEAST_VOICING, 0) +
      standsOut * (VOICING_DB * clamp(voicing, 0, MOST_VOICING) + peaksDb)
    )
  }
}
