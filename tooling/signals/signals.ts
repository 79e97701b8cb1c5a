/** Signals for tests and benchmarks. They are deterministic, so that tests can assert measured figures. */

/** Creates a generator of numbers in [0, 1) (Mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Tone {
  frequencyHz: number
  amplitude: number
  samples: number
  sampleRateHz: number
  phaseDegrees?: number
}

export function sine({ frequencyHz, amplitude, samples, sampleRateHz, phaseDegrees = 0 }: Tone) {
  const phase = (phaseDegrees * Math.PI) / 180
  return Float32Array.from(
    { length: samples },
    (_, n) => amplitude * Math.sin((2 * Math.PI * frequencyHz * n) / sampleRateHz + phase),
  )
}

export function toInt16(samples: Float32Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))))
}

/** Makes a voice that holds one vowel: a pitch with two overtones. */
export const steadyVoice = (sampleRateHz: number, pitchHz: number, length: number): Int16Array<ArrayBuffer> =>
  Int16Array.from({ length }, (_, n) => {
    const phase = (2 * Math.PI * pitchHz * n) / sampleRateHz
    return 6000 * Math.sin(phase) + 4000 * Math.sin(2 * phase + 1) + 2000 * Math.sin(5 * phase + 2)
  })

export function whiteNoise(samples: number, seed: number): Float32Array<ArrayBuffer> {
  const random = seededRandom(seed)
  // A sum of uniform numbers is close enough to a normal distribution.
  return Float32Array.from({ length: samples }, () => random() + random() + random() + random() - 2)
}

/** Makes noise that falls by 3 dB per octave: white noise through Kellet's filter. */
export function pinkNoise(samples: number, seed: number): Float32Array<ArrayBuffer> {
  const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55, -0.7616]
  const gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522, -0.016898]
  const states = new Float64Array(poles.length)
  return whiteNoise(samples, seed).map((white) => {
    let sum = 0.5362 * white
    for (const [index, pole] of poles.entries()) {
      const state = pole * (states[index] ?? 0) + (gains[index] ?? 0) * white
      states[index] = state
      sum += state
    }
    return sum
  })
}

/** The first three formants of vowels in hertz (Peterson and Barney 1952, men). */
const VOWELS = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [300, 870, 2240],
  [530, 1840, 2480],
  [570, 840, 2410],
  [640, 1190, 2390],
]

function createResonator(frequencyHz: number, bandwidthHz: number, sampleRateHz: number) {
  const radius = Math.exp((-Math.PI * bandwidthHz) / sampleRateHz)
  const a = 2 * radius * Math.cos((2 * Math.PI * frequencyHz) / sampleRateHz)
  const b = -radius * radius
  let first = 0
  let second = 0
  return (x: number) => {
    const y = (1 - a - b) * x + a * first + b * second
    second = first
    first = y
    return y
  }
}

export interface Spoken {
  samples: Float32Array<ArrayBuffer>
  /** Times of the words, in milliseconds. */
  words: { startMs: number; endMs: number }[]
}

/**
 * Synthesizes sound with the rhythm and the spectrum of speech: words of hissed consonants and of vowels with a gliding
 * pitch, in phrases with pauses in between. Vowels are a pulse train through three formants.
 */
export function speechLike(options: {
  durationMs: number
  sampleRateHz: number
  seed: number
  pauses?: boolean
}): Spoken {
  const { durationMs, sampleRateHz, seed, pauses = true } = options
  const random = seededRandom(seed)
  const between = (low: number, high: number) => low + (high - low) * random()
  const samples = new Float32Array(Math.round((durationMs * sampleRateHz) / 1000))
  const words: Spoken['words'] = []
  const basePitchHz = between(90, 220)
  const count = (ms: number) => Math.round((ms * sampleRateHz) / 1000)

  function consonant(at: number): number {
    const length = count(between(40, 90))
    const hiss = createResonator(Math.min(between(2500, 5000), sampleRateHz * 0.4), 1500, sampleRateHz)
    for (let n = 0; n < length && at + n < samples.length; n++)
      samples[at + n] = 0.12 * hiss(random() * 2 - 1) * Math.sin((Math.PI * n) / length)
    return at + length
  }

  function vowel(at: number): number {
    const length = count(between(90, 220))
    const formants = VOWELS[Math.floor(random() * VOWELS.length)] ?? []
    const tract = formants.map((hz, index) => createResonator(hz, 60 + 40 * index, sampleRateHz))
    const pitchHz = basePitchHz * between(0.85, 1.2)
    const glide = between(-0.25, 0.15)
    const loudness = between(0.5, 1)
    let phase = 1
    let pulse = 0
    for (let n = 0; n < length && at + n < samples.length; n++) {
      phase += (pitchHz * (1 + (glide * n) / length)) / sampleRateHz
      if (phase >= 1) pulse = phase - Math.floor(phase) >= 0 ? sampleRateHz / pitchHz / 40 : 0
      phase %= 1
      const source = pulse + 0.02 * (random() * 2 - 1)
      pulse = 0
      const edge = Math.min(1, n / count(15), (length - n) / count(30))
      samples[at + n] = 0.5 * loudness * edge * tract.reduce((value, filter) => filter(value), source)
    }
    return at + length
  }

  for (let at = pauses ? count(700) : 0; at < samples.length - count(1500);) {
    const phrase = Math.floor(between(3, 7))
    for (let word = 0; word < phrase && at < samples.length - count(1500); word++) {
      const start = at
      const syllables = Math.floor(between(1, 4))
      for (let syllable = 0; syllable < syllables; syllable++) at = vowel(random() < 0.6 ? consonant(at) : at)
      words.push({ startMs: (start * 1000) / sampleRateHz, endMs: (at * 1000) / sampleRateHz })
      at += count(between(20, 90))
    }
    if (pauses) at += count(between(600, 1800))
  }
  return { samples, words }
}

/** Makes the babble of eight speakers at once. */
export function babble(samples: number, sampleRateHz: number, seed: number): Float32Array<ArrayBuffer> {
  const durationMs = (samples * 1000) / sampleRateHz + 3000
  const people = Array.from(
    { length: 8 },
    (_, index) =>
      speechLike({ durationMs, sampleRateHz, seed: seed + 1000 * (index + 1), pauses: false }).samples,
  )
  return new Float32Array(samples).map((_, n) => people.reduce((sum, person) => sum + (person[n] ?? 0), 0))
}

/** Returns the root mean square of the samples within the stretches, or of all samples. */
export function rms(samples: Float32Array, stretches?: Spoken['words'], sampleRateHz = 1): number {
  const parts = stretches?.map(({ startMs, endMs }) =>
    samples.subarray((startMs * sampleRateHz) / 1000, (endMs * sampleRateHz) / 1000),
  ) ?? [samples]
  const squares = parts.reduce((sum, part) => part.reduce((total, x) => total + x * x, sum), 0)
  return Math.sqrt(squares / parts.reduce((sum, part) => sum + part.length, 0))
}

/** Mixes speech, whose words are at -26 dBFS, with noise `snrDb` below that. */
export function mixSpeech(spoken: Spoken, noise: Float32Array, snrDb: number, sampleRateHz: number) {
  const speechGain = 0.05 / rms(spoken.samples, spoken.words, sampleRateHz)
  const noiseGain = (0.05 * 10 ** (-snrDb / 20)) / rms(noise)
  return toInt16(spoken.samples.map((value, n) => value * speechGain + (noise[n] ?? 0) * noiseGain))
}

/** Cuts the samples into pieces of these lengths, which repeat. */
export function* cut<T extends Int16Array | Float32Array>(
  samples: T,
  lengths: readonly number[],
): Generator<T> {
  for (let at = 0, turn = 0; at < samples.length; turn++) {
    const length = lengths[turn % lengths.length] ?? samples.length
    yield samples.subarray(at, at + length) as T
    at += length
  }
}
