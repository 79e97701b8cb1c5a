import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeWav, f32le } from '@vaani/pcm-audio'
import { runTool } from '@vaani/test-services/run-tool'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { synthesizeVoice } from '../../test/synthetic-voice.ts'
import { AudioError } from '../decode-audio/audio-error.ts'
import { createFloatWatermarker } from '../watermark/embed.ts'
import { searchRecording } from './search-recording.ts'

const RATE_HZ = 22_050
const SECONDS = 6
const PAYLOAD = 0xfe_dc_ba_98
const key = new Uint8Array(32).fill(3)
const formerKey = new Uint8Array(32).fill(4)

const watermarker = createFloatWatermarker({ key, payload: PAYLOAD, sampleRateHz: RATE_HZ })
const voice = synthesizeVoice({ seconds: SECONDS, sampleRateHz: RATE_HZ })
const marked = Float32Array.from([...watermarker.push(voice), ...watermarker.flush()])
const wav = encodeWav(marked, { sampleRateHz: RATE_HZ })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-search-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function search(bytes: Uint8Array, maxSeconds = 60) {
  const file = path.join(folder, 'recording')
  await writeFile(file, bytes)
  return searchRecording({ file, keys: [formerKey, key], maxSeconds })
}
const isCode = (code: string) => (error: unknown) => error instanceof AudioError && error.code === code

test('finds the key and the payload', async () => {
  const { durationSeconds, detections } = await search(wav)
  expect(durationSeconds).toBeCloseTo(SECONDS, 3)
  expect(detections).toMatchObject([
    { isPresent: false, payload: null },
    { isPresent: true, payload: PAYLOAD, speed: 1 },
  ])
})

test.each([
  ['mp3', '-b:a 64k -f mp3'],
  ['ogg', '-c:a libopus -b:a 48k -f ogg'],
])('finds them in %s', { tags: 'ffmpeg' }, async (_, output) => {
  const { detections } = await search(runTool('ffmpeg', ['-i', '-', ...output.split(' '), '-'], wav))
  expect(detections[1]).toMatchObject({ isPresent: true, payload: PAYLOAD, speed: 1 })
})

test.each([
  ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), 'unknown_type'],
  ['half of a file', wav.subarray(0, wav.length / 2), 'damaged'],
  ['a file that is too long', encodeWav(new Int16Array(61 * 8000), { sampleRateHz: 8000 }), 'too_long'],
  ['hours at a rate of 1 Hz', encodeWav(new Int16Array(8000), { sampleRateHz: 1 }), 'damaged'],
  [
    'samples that are no numbers',
    encodeWav(Float32Array.of(0, Number.NaN, 0), { sampleRateHz: RATE_HZ, format: f32le }),
    'damaged',
  ],
])('refuses %s', async (_, bytes, code) => {
  await expect(search(bytes)).rejects.toSatisfy(isCode(code))
})

describe('finds no mark', () => {
  test.each([
    ['a single sample', Float32Array.of(0.5)],
    ['silence', new Float32Array(3 * RATE_HZ)],
    ['the largest numbers', new Float32Array(3 * RATE_HZ).fill(1e38)],
  ])('in %s', async (_, samples) => {
    const { detections } = await search(encodeWav(samples, { sampleRateHz: RATE_HZ, format: f32le }))
    for (const { isPresent, falseAlarmProbability } of detections) {
      expect(isPresent).toBe(false)
      expect(falseAlarmProbability).toBeGreaterThan(1e-4)
    }
  })
})
