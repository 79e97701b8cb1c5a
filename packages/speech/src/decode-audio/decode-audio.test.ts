import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createFft, encodeWav, f32le, hannWindow } from '@vaani/pcm-audio'
import { runTool } from '@vaani/test-services/run-tool'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AudioError } from './audio-error.ts'
import { decodeAudio } from './decode-audio.ts'
import { sniffAudio } from './sniff-audio.ts'

const RATE = 16_000
const options = { sampleRateHz: RATE, maxSeconds: 10 }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-decode-'))
})
afterAll(() => rm(folder, { recursive: true }))

const isCode = (code: string) => (error: unknown) => error instanceof AudioError && error.code === code

/** Two seconds of a tone of 440 Hz. */
const tone = (sampleRateHz: number, seconds = 2) =>
  Int16Array.from({ length: seconds * sampleRateHz }, (_, index) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * 440 * index) / sampleRateHz)),
  )

/** Returns the frequency with the most power. */
function peakHz(samples: Float32Array): number {
  const size = 16_384
  const window = hannWindow(size)
  const real = Float64Array.from(window, (weight, index) => weight * (samples[index + 4000] ?? 0))
  const imaginary = new Float64Array(size)
  createFft(size).forward(real, imaginary)
  let best = 1
  const power = (bin: number) => (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2
  for (let bin = 1; bin < size / 2; bin++) if (power(bin) > power(best)) best = bin
  return (best * RATE) / size
}

function expectTone(samples: Float32Array) {
  expect(samples.length / RATE).toBeGreaterThan(1.9)
  expect(samples.length / RATE).toBeLessThan(2.2)
  expect(Math.abs(peakHz(samples) - 440)).toBeLessThan(2)
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  expect(loudest).toBeGreaterThan(0.3)
  expect(loudest).toBeLessThan(0.45)
}

describe('WAV', () => {
  test('with samples that are not numbers is damaged', async () => {
    const samples = Float32Array.from({ length: RATE }, (_, index) => (index === 500 ? Number.NaN : 0.1))
    const file = encodeWav(samples, { sampleRateHz: RATE, format: f32le })
    await expect(decodeAudio(file, options)).rejects.toSatisfy(isCode('damaged'))
  })

  test('of nothing but empty chunks is damaged', async () => {
    const wav = encodeWav(tone(RATE), { sampleRateHz: RATE })
    const empty = Buffer.from('note\0\0\0\0'.repeat(2000), 'latin1')
    const file = Buffer.concat([wav.subarray(0, 12), empty, wav.subarray(12)])
    await expect(decodeAudio(file, options)).rejects.toSatisfy(isCode('damaged'))
  })

  test.each([8000, 22_050, 44_100, 48_000])('of %i Hz is decoded without ffmpeg', async (sampleRateHz) => {
    const wav = encodeWav(tone(sampleRateHz), { sampleRateHz })
    expectTone(await decodeAudio(wav, { ...options, program: 'no-such-program' }))
  })

  test('of two channels is mixed', async () => {
    const mono = tone(RATE)
    const stereo = Int16Array.from({ length: 2 * mono.length }, (_, index) => mono[index >> 1] ?? 0)
    expectTone(await decodeAudio(encodeWav(stereo, { sampleRateHz: RATE, channels: 2 }), options))
  })

  test('that is too long, incomplete or empty is refused', async () => {
    const long = encodeWav(tone(RATE, 11), { sampleRateHz: RATE })
    await expect(decodeAudio(long, options)).rejects.toSatisfy(isCode('too_long'))
    const cut = encodeWav(tone(RATE), { sampleRateHz: RATE }).subarray(0, 20_000)
    await expect(decodeAudio(cut, options)).rejects.toSatisfy(isCode('damaged'))
    const empty = encodeWav(new Int16Array(), { sampleRateHz: RATE })
    await expect(decodeAudio(empty, options)).rejects.toSatisfy(isCode('damaged'))
  })
})

test('anything else is refused', async () => {
  for (const text of ['', 'RIFF', '<svg/>', 'GIF89a', 'RIFF....AVI LIST', '\u0000'.repeat(64)])
    await expect(decodeAudio(Buffer.from(text), options), text).rejects.toSatisfy(isCode('unknown_type'))
})

/** A box of MP4 with its contents. */
function box(type: string, ...contents: Buffer[]): Buffer {
  const header = Buffer.alloc(8, `\0\0\0\0${type}`, 'latin1')
  header.writeUInt32BE(contents.reduce((sum, { length }) => sum + length, header.length))
  return Buffer.concat([header, ...contents])
}

describe('MP4', () => {
  const type = box('ftyp', Buffer.from('M4A \0\0\0\0', 'latin1'))
  const many = Buffer.alloc(50_001 * 8, box('free'))
  /** Of 64 bits, one that says it has more than its container, and one to the end of the file. */
  const long = Buffer.from('000000016d6f6f760000000000700000', 'hex')
  const larger = Buffer.concat([Buffer.from('000f000066726565', 'hex'), many.subarray(8)])
  const endless = Buffer.from('000000006d6f6f76', 'hex')

  test.each([
    ['at the top', many],
    ['in a container', box('moov', box('udta', box('meta', Buffer.alloc(4), many)))],
    ['in a container of QuickTime', box('moov', box('meta', many))],
    ['that are containers', Buffer.alloc(50_001 * 8, box('moof'))],
    ['after one that ends beyond its container', Buffer.concat([box('moov', larger), many])],
    ['in one with a long size', Buffer.concat([long, many])],
    ['in one without a size', Buffer.concat([endless, many])],
    ['after one that is smaller than its header', Buffer.concat([box('moov', Buffer.alloc(8, 1)), many])],
  ])('of too many boxes %s is refused without ffmpeg', async (_, boxes) => {
    const decoding = decodeAudio(Buffer.concat([type, boxes]), { ...options, program: 'no-such-program' })
    await expect(decoding).rejects.toMatchObject({ code: 'damaged', message: 'has more than 50000 boxes' })
  })

  test.each([
    ['many boxes', many.subarray(0, 49_000 * 8)],
    ['bytes that look like boxes', box('mdat', many)],
    ['no boxes', Buffer.from('free')],
  ])('with %s is for ffmpeg to decode', async (_, boxes) => {
    const decoding = decodeAudio(Buffer.concat([type, boxes]), { ...options, program: 'no-such-program' })
    await expect(decoding).rejects.toSatisfy(isCode('decoder_missing'))
  })
})

test('a decoder that never stops reporting what is wrong is ended', async () => {
  const program = path.join(folder, 'reporter')
  await writeFile(program, '#!/bin/sh\nexec yes wrong >&2\n', { mode: 0o700 })
  await expect(decodeAudio(Buffer.from('ID3'), { ...options, program })).rejects.toSatisfy(isCode('damaged'))
})

const FORMATS = {
  mp3: ['mp3', '-c:a libmp3lame -b:a 64k'],
  'ogg-vorbis': ['ogg', '-c:a libvorbis -f ogg'],
  'ogg-opus': ['ogg', '-c:a libopus -f ogg'],
  flac: ['flac', '-c:a flac'],
  m4a: ['mp4', '-c:a aac'],
  alac: ['mp4', '-c:a alac -f ipod'],
  webm: ['webm', '-c:a libopus -f webm'],
  'webm-vorbis': ['webm', '-c:a libvorbis -f webm'],
} as const

describe('with ffmpeg', { tags: 'ffmpeg' }, () => {
  async function encode(name: keyof typeof FORMATS, seconds = 2): Promise<Buffer> {
    const file = path.join(folder, `${name}-${seconds}.${name === 'alac' ? 'm4a' : name.split('-')[0]}`)
    const input = `-f lavfi -i sine=frequency=440:duration=${seconds}:sample_rate=48000 -af volume=9dB`
    runTool('ffmpeg', [...input.split(' '), ...FORMATS[name][1].split(' '), '-y', file])
    return readFile(file)
  }

  test.each(Object.entries(FORMATS))('%s is decoded', async (name, [type]) => {
    const bytes = await encode(name as keyof typeof FORMATS)
    expect(sniffAudio(bytes)).toBe(type)
    expectTone(await decodeAudio(bytes, options))
  })

  test('a picture beside the sound does no harm', async () => {
    const file = path.join(folder, 'cover.mp3')
    const inputs = '-f lavfi -i sine=frequency=440:duration=2 -f lavfi -i color=red:size=64x64:duration=0.1'
    const output =
      '-af volume=9dB -map 0 -map 1 -c:a libmp3lame -c:v mjpeg -frames:v 1 -disposition:v attached_pic'
    runTool('ffmpeg', [...inputs.split(' '), ...output.split(' '), file])
    expectTone(await decodeAudio({ file }, options))
  })

  test('is refused if it is too long, damaged, without sound or aborted', async () => {
    await expect(decodeAudio(await encode('m4a', 12), options)).rejects.toSatisfy(isCode('too_long'))
    const flac = await encode('flac')
    await expect(decodeAudio(flac.subarray(0, 40), options)).rejects.toSatisfy(isCode('damaged'))
    const video = path.join(folder, 'video.mp4')
    const input = '-f lavfi -i color=red:size=64x64:duration=1'
    runTool('ffmpeg', [...input.split(' '), video])
    await expect(decodeAudio({ file: video }, options)).rejects.toSatisfy(isCode('damaged'))
    const aborted = { ...options, signal: AbortSignal.abort() }
    await expect(decodeAudio(flac, aborted)).rejects.toSatisfy(isCode('aborted'))
  })

  test('of frames that are all wrong is damaged', async () => {
    const junk = Buffer.alloc(8_000_000, Buffer.from([0xff, 0xfb, 0x10, 0x00]))
    await expect(decodeAudio(junk, options)).rejects.toSatisfy(isCode('damaged'))
  })

  test('nothing of the bytes is left behind', async () => {
    const directory = await mkdtemp(path.join(folder, 'own-'))
    await decodeAudio(await encode('mp3'), { ...options, directory })
    await expect(decodeAudio(Buffer.from('ID3 and no more'), { ...options, directory })).rejects.toSatisfy(
      isCode('damaged'),
    )
    expect(await readdir(directory)).toEqual([])
  })

  test('is refused without ffmpeg', async () => {
    const missing = { ...options, program: 'no-such-program' }
    await expect(decodeAudio(await encode('mp3'), missing)).rejects.toSatisfy(isCode('decoder_missing'))
  })
})
