import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createG722Decoder, createG722Encoder, G722_RATE_HZ } from './g722.ts'

/** Two seconds of something like a voice: harmonics that glide, in syllables, and a hiss in the upper band. */
function voiceLike(): Int16Array {
  let phase = 0
  let state = 1
  return Int16Array.from({ length: 2 * G722_RATE_HZ }, (_, n) => {
    const seconds = n / G722_RATE_HZ
    phase += (2 * Math.PI * (120 + 30 * Math.sin(3 * seconds))) / G722_RATE_HZ
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    let sound = (state / 2 ** 32 - 0.5) * 300
    for (let harmonic = 1; harmonic <= 24; harmonic++)
      sound += (3000 / harmonic) * Math.sin(harmonic * phase + harmonic)
    return Math.round(sound * (0.6 + 0.4 * Math.sin(2 * Math.PI * 4 * seconds)))
  })
}

const encode = (samples: Int16Array): Uint8Array => {
  const bytes = new Uint8Array(samples.length / 2)
  createG722Encoder().encode(samples, bytes)
  return bytes
}
const decode = (bytes: Uint8Array): Int16Array => {
  const samples = new Int16Array(bytes.length * 2)
  createG722Decoder().decode(bytes, samples)
  return samples
}

/** Delay of both mirror filters together, in samples. */
const DELAY = 22

function signalToNoiseDb(wanted: Int16Array, heard: Int16Array, delay: number): number {
  let signal = 0
  let noise = 0
  for (let n = 1000; n + delay < heard.length; n++) {
    const sample = wanted[n] ?? 0
    signal += sample * sample
    noise += (sample - (heard[n + delay] ?? 0)) ** 2
  }
  return 10 * Math.log10(signal / noise)
}

const run = (input: Uint8Array, args: readonly string[]): Buffer =>
  spawnSync('ffmpeg', ['-v', 'error', ...args], { input, maxBuffer: 2 ** 24 }).stdout
const pcm = ['-f', 's16le', '-ar', '16000', '-ac', '1']
const isFfmpegHere = spawnSync('ffmpeg', ['-version']).status === 0

test('a voice comes through with a signal-to-noise ratio of over 20 dB', () => {
  const voice = voiceLike()
  expect(signalToNoiseDb(voice, decode(encode(voice)), DELAY)).toBeGreaterThan(20)
})

test('chunks of any length give the same bytes and samples', () => {
  const voice = voiceLike().subarray(0, 3200)
  const encoder = createG722Encoder()
  const decoder = createG722Decoder()
  const bytes = new Uint8Array(1600)
  const samples = new Int16Array(3200)
  for (let at = 0; at < 3200; at += 320) {
    encoder.encode(voice.subarray(at, at + 320), bytes.subarray(at / 2))
    decoder.decode(bytes.subarray(at / 2, at / 2 + 160), samples.subarray(at))
  }
  expect(bytes).toEqual(encode(voice))
  expect(samples).toEqual(decode(bytes))
})

test('full scale and noise neither overflow nor leave the decoder unstable', () => {
  const square = Int16Array.from({ length: 16_000 }, (_, n) => (n % 8 < 4 ? 32_767 : -32_768))
  expect(decode(encode(square))).toHaveLength(16_000)
  const noise = Uint8Array.from({ length: 8000 }, (_, n) => Math.imul(n + 1, 0x9e_37_79_b1) >>> 24)
  const decoder = createG722Decoder()
  decoder.decode(noise, new Int16Array(16_000))
  const quiet = new Int16Array(16_000)
  decoder.decode(encode(new Int16Array(16_000)), quiet)
  expect(Math.max(...quiet.subarray(8000).map(Math.abs))).toBeLessThan(50)
})

describe.skipIf(!isFfmpegHere)('beside ffmpeg', () => {
  test('its decoder and ours give the same samples', () => {
    const bytes = encode(voiceLike())
    const theirs = run(bytes, ['-f', 'g722', '-i', '-', ...pcm, '-'])
    const samples = new Int16Array(theirs.buffer, theirs.byteOffset, theirs.length / 2)
    expect(samples).toEqual(decode(bytes))
  })

  test('its encoder and ours give the same bytes', () => {
    const voice = voiceLike()
    const bytes = run(new Uint8Array(voice.buffer), [...pcm, '-i', '-', '-f', 'g722', '-'])
    expect(Uint8Array.from(bytes)).toEqual(encode(voice))
  })
})
