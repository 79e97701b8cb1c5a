import { spawnSync } from 'node:child_process'
import { decodeWav, measureLevels, measureLoudness, measureTruePeak } from '@vaani/pcm-audio'
import { thorough } from '@vaani/test-services/thorough'
import { describe, expect, test } from 'vitest'
import {
  FILE_FORMATS,
  FILE_SAMPLE_RATES_HZ,
  SYNTHESIS_MODEL_PROFILES,
  type SynthesisModel,
} from '../stream/models.ts'
import { detectWatermark } from '../watermark/detect.ts'
import { createFileRenderer, type RenderSettings } from './render-file.ts'
import { speechLike } from './test/speech-like.ts'

const ENGINE_HZ = 22_050
const MODELS = Object.keys(SYNTHESIS_MODEL_PROFILES) as SynthesisModel[]
const ALL = MODELS.flatMap((model) => FILE_SAMPLE_RATES_HZ.map((rate) => [model, rate] as const))
/** Usually each model and each rate once. */
const TRIED = thorough({
  usual: ALL.filter((_, index) => index % (FILE_SAMPLE_RATES_HZ.length + 1) === 0),
  long: ALL,
})
const SETTINGS: RenderSettings = {
  engineSampleRateHz: ENGINE_HZ,
  model: 'synth-v1',
  format: 'wav',
  sampleRateHz: 22_050,
  lufs: -20,
}
const SPEECH = speechLike({ seconds: 4, sampleRateHz: ENGINE_HZ })

async function render(settings: Partial<RenderSettings>, samples = SPEECH, chunk = 5000) {
  const file = createFileRenderer({ ...SETTINGS, ...settings })
  const chunks = Array.from({ length: Math.ceil(samples.length / chunk) }, (_, index) =>
    samples.subarray(index * chunk, (index + 1) * chunk),
  )
  for (const piece of chunks) file.measure(piece)
  const measured = await file.measured()
  const parts = chunks.map((piece) => file.render(piece))
  const bytes = Buffer.concat([...parts, file.finish()])
  file.close()
  return { measured, bytes }
}

/** Decodes a file of any format with ffmpeg, at its own rate. */
function decode(bytes: Buffer): Int16Array {
  const { status, stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-i', '-', '-f', 's16le', '-c:a', 'pcm_s16le', '-'],
    { input: bytes, maxBuffer: 2 ** 28 },
  )
  expect([status, stderr.toString()]).toEqual([0, ''])
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength))
}

describe('a WAV file', () => {
  test.each(TRIED)(
    'of %s at %i Hz has the announced length, the level and the rate',
    async (model, sampleRateHz) => {
      const { measured, bytes } = await render({ model, sampleRateHz })
      expect(bytes.length).toBe(measured.bytes)
      const { format, samples } = decodeWav(bytes)
      expect(format).toMatchObject({ sampleRateHz, channels: 1, sampleFormat: 's16le' })
      expect(samples.length / sampleRateHz).toBe(measured.durationSeconds)
      expect(measured.durationSeconds).toBeCloseTo(4, 3)
      expect(measureLoudness(samples, { sampleRateHz, channels: 1 }).integratedLufs).toBeCloseTo(-20, 0)
      expect(measureTruePeak(samples, { channels: 1 })).toBeLessThan(-1)
      expect(measureLevels(samples).fullScaleSamples).toBe(0)
    },
  )

  test.each([20, 1500, 15_000])('is as loud for an engine with an amplitude of %i', async (amplitude) => {
    const { bytes } = await render({}, speechLike({ seconds: 3, sampleRateHz: ENGINE_HZ, amplitude }))
    const { integratedLufs } = measureLoudness(decodeWav(bytes).samples, {
      sampleRateHz: 22_050,
      channels: 1,
    })
    // Noise is not raised to the level of speech.
    if (amplitude === 20) expect(integratedLufs).toBeLessThan(-25)
    else expect(Math.abs(integratedLufs + 20)).toBeLessThan(1)
  })

  test.each([0, 100, 3000])('may have only %i samples', async (length) => {
    const { measured, bytes } = await render({}, SPEECH.slice(0, length))
    expect(bytes.length).toBe(measured.bytes)
    expect(decodeWav(bytes).samples).toHaveLength(length)
  })

  test('is the same for any chunks', async () => {
    const one = await render({ sampleRateHz: 16_000 }, SPEECH, 100_000)
    const many = await render({ sampleRateHz: 16_000 }, SPEECH, 777)
    expect(many.bytes.equals(one.bytes)).toBe(true)
  })

  test('has no sound above the band of its model', async () => {
    // A tone at 9.5 kHz, which only the whole band of the engine holds, beside one that all hold.
    const tones = Int16Array.from({ length: 2 * ENGINE_HZ }, (_, index) =>
      Math.round(
        4000 * Math.sin((2 * Math.PI * 1000 * index) / ENGINE_HZ) +
          4000 * Math.sin((2 * Math.PI * 9500 * index) / ENGINE_HZ),
      ),
    )
    const highDb = async (model: SynthesisModel) => {
      const { samples } = decodeWav((await render({ model }, tones)).bytes)
      return 20 * Math.log10(magnitudeAt(samples, 9500) / magnitudeAt(samples, 1000))
    }
    expect(await highDb('synth-v1')).toBeCloseTo(0, 0)
    expect(await highDb('synth-l1')).toBeLessThan(-60)
    expect(await highDb('synth-l2')).toBeLessThan(-60)
  })
})

/** Magnitude of one frequency in the middle of the samples, by a Hann-windowed Fourier sum. */
function magnitudeAt(samples: Int16Array, hz: number): number {
  const [start, length] = [8000, 16_384]
  let real = 0
  let imaginary = 0
  for (let index = 0; index < length; index++) {
    const angle = (2 * Math.PI * hz * index) / ENGINE_HZ
    const value = (samples[start + index] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length))
    real += value * Math.cos(angle)
    imaginary += value * Math.sin(angle)
  }
  return Math.hypot(real, imaginary)
}

describe.each(['mp3', 'ogg'] as const)('a file in %s', (format) => {
  test.each(TRIED)(
    'of %s at %i Hz decodes to the same duration, at the level and without clipping',
    { tags: 'ffmpeg' },
    async (model, sampleRateHz) => {
      const { measured, bytes } = await render({ format, model, sampleRateHz })
      expect(measured.bytes).toBe(undefined)
      const samples = decode(bytes)
      // An MP3 decodes with the delay of the encoder and whole frames: at most three of 36 to 72 ms.
      const excess = samples.length / sampleRateHz - measured.durationSeconds
      expect(excess).toBeGreaterThan(-0.001)
      expect(excess).toBeLessThan(format === 'mp3' ? 0.2 : 0.001)
      const { integratedLufs } = measureLoudness(samples, { sampleRateHz, channels: 1 })
      expect(Math.abs(integratedLufs + 20)).toBeLessThan(1)
      expect(measureTruePeak(samples, { channels: 1 })).toBeLessThan(-1)
    },
  )
})

test.each(TRIED)('a file of %s at %i Hz keeps to the size of its model', async (model, sampleRateHz) => {
  const { mp3Kbps, oggBudgetKbps } = SYNTHESIS_MODEL_PROFILES[model]
  const kbpsOf = ({ measured, bytes }: Awaited<ReturnType<typeof render>>) =>
    (bytes.length * 8) / 1000 / measured.durationSeconds
  const mp3 = kbpsOf(await render({ format: 'mp3', model, sampleRateHz }))
  expect(mp3 / mp3Kbps[sampleRateHz]).toBeGreaterThan(0.98)
  // The last frames are padded.
  expect(mp3 / mp3Kbps[sampleRateHz]).toBeLessThan(1.05)
  const { measured, bytes } = await render({ format: 'ogg', model, sampleRateHz })
  expect(((bytes.length - 4096) * 8) / 1000 / measured.durationSeconds).toBeLessThan(oggBudgetKbps)
})

test.each(FILE_FORMATS)(
  '%s files are the same for the same speech, also with an encoder that was used before',
  async (format) => {
    const first = await render({ format })
    await render({ format, model: 'synth-l2', sampleRateHz: 16_000 })
    expect((await render({ format })).bytes.equals(first.bytes)).toBe(true)
  },
)

test.each(TRIED)(
  'a marked file of %s at %i Hz has the length and level of others, and its mark is found',
  async (model, sampleRateHz) => {
    const watermark = { key: new Uint8Array(32).fill(5), payload: 4_000_000_000 }
    const plain = await render({ model, sampleRateHz })
    const { measured, bytes } = await render({ model, sampleRateHz, watermark })
    expect(measured).toEqual(plain.measured)
    expect(bytes).toHaveLength(plain.bytes.length)
    const { samples } = decodeWav(bytes)
    expect(measureLoudness(samples, { sampleRateHz, channels: 1 }).integratedLufs).toBeCloseTo(-20, 0)
    expect(measureTruePeak(samples, { channels: 1 })).toBeLessThan(-1)
    const { key, payload } = watermark
    expect(detectWatermark(samples, { key, sampleRateHz })).toMatchObject({ isPresent: true, payload })
    expect(detectWatermark(decodeWav(plain.bytes).samples, { key, sampleRateHz }).isPresent).toBe(false)
  },
)

test('fails if the second pass differs from the first', async () => {
  const file = createFileRenderer(SETTINGS)
  expect(() => file.render(SPEECH)).toThrow('Measure the whole speech')
  file.measure(SPEECH)
  await file.measured()
  file.render(SPEECH.subarray(1))
  expect(() => file.finish()).toThrow('other samples')
})
