import { spawnSync } from 'node:child_process'

/** Mono samples at a rate. */
export interface Sound {
  samples: Float32Array
  sampleRateHz: number
}

/** Something that happens to speech on its way to a detector. */
export interface Attack {
  name: string
  apply(sound: Sound): Sound
}

/** Runs ffmpeg on raw floats or on a file's bytes. */
function ffmpeg(input: Uint8Array, parameters: readonly string[]): Uint8Array {
  const { stdout, status, error } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-threads', '1', ...parameters, 'pipe:1'],
    {
      input,
      maxBuffer: 1 << 28,
    },
  )
  if (error !== undefined) throw error
  if (status !== 0) throw new Error('ffmpeg failed')
  return stdout
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
const rawFloats = (rateHz: number) => ['-f', 'f32le', '-ar', String(rateHz), '-ac', '1']

function decode(file: Uint8Array, rateHz: number): Sound {
  const bytes = ffmpeg(file, ['-i', 'pipe:0', ...rawFloats(rateHz)])
  return { samples: new Float32Array(Uint8Array.from(bytes).buffer), sampleRateHz: rateHz }
}

/** Encodes, and decodes to the rate of the speech, or to another one. */
const codec = (name: string, encoder: readonly string[], decodedHz?: number): Attack => ({
  name,
  apply: ({ samples, sampleRateHz }) =>
    decode(
      ffmpeg(bytesOf(samples), [...rawFloats(sampleRateHz), '-i', 'pipe:0', ...encoder]),
      decodedHz ?? sampleRateHz,
    ),
})

/** LAME delays by 576 samples and decoders by 529, and a pipe has no header that could say so. */
const MP3_DELAY_SAMPLES = 576 + 529
const mp3 = (kilobits: number): Attack => {
  const { name, apply } = codec(`mp3, ${kilobits} kbit/s`, [
    '-c:a',
    'libmp3lame',
    '-b:a',
    `${kilobits}k`,
    '-f',
    'mp3',
  ])
  return {
    name,
    apply(sound) {
      const decoded = apply(sound)
      return { ...decoded, samples: decoded.samples.subarray(MP3_DELAY_SAMPLES) }
    },
  }
}

const filter = (name: string, graph: (sampleRateHz: number) => string): Attack => ({
  name,
  apply: (sound) =>
    codec(name, ['-af', graph(sound.sampleRateHz), '-c:a', 'pcm_s16le', '-f', 'wav']).apply(sound),
})

const speed = (factor: number): Attack =>
  filter(`speed ${signed(factor)}`, (rateHz) => `asetrate=${Math.round(rateHz * factor)},aresample=${rateHz}`)
const tempo = (factor: number): Attack =>
  filter(`tempo ${signed(factor)}, pitch kept`, () => `atempo=${factor}`)
const signed = (factor: number): string =>
  `${factor > 1 ? '+' : ''}${((factor - 1) * 100).toFixed(1).replace('.0', '')} %`

const wav = (...parameters: readonly string[]): readonly string[] => [...parameters, '-f', 'wav']

/** Adds white noise of Gaussian distribution, with a fixed seed, so much below the mean power of the speech. */
const noise = (belowDb: number): Attack => ({
  name: `white noise at ${belowDb} dB`,
  apply({ samples, sampleRateHz }) {
    const next = seededRandom(1)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    const deviation = Math.sqrt(power) * 10 ** (-belowDb / 20)
    const gaussian = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
    return { samples: samples.map((sample) => sample + deviation * gaussian()), sampleRateHz }
  },
})

/** Returns numbers from 0 to 1 by SplitMix32, which passes the statistical tests of PractRand to 2^32. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x9e_37_79_b9) | 0
    let word = state ^ (state >>> 16)
    word = Math.imul(word, 0x21_f0_aa_ad)
    word ^= word >>> 15
    word = Math.imul(word, 0x73_5a_2d_97)
    return ((word ^ (word >>> 15)) >>> 0) / 2 ** 32
  }
}

export const ATTACKS: readonly Attack[] = [
  { name: 'none', apply: (sound) => sound },
  mp3(128),
  mp3(64),
  codec('Opus, 24 kbit/s', ['-c:a', 'libopus', '-b:a', '24k', '-f', 'ogg']),
  codec('μ-law, 8 kHz', wav('-ar', '8000', '-c:a', 'pcm_mulaw'), 8000),
  codec('resampled to 16 kHz', wav('-ar', '16000', '-c:a', 'pcm_s16le'), 16_000),
  codec('resampled to 48 kHz', wav('-ar', '48000', '-c:a', 'pcm_s16le'), 48_000),
  filter('gain -12 dB', () => 'volume=-12dB'),
  noise(20),
  speed(1.05),
  speed(0.95),
  speed(1.0177),
  tempo(1.05),
  tempo(0.95),
]
