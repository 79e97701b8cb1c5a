import { decodeInt16, decodeWav, s16le } from '@vaani/pcm-audio'
import { runTool } from '@vaani/test-services/run-tool'
import { afterAll, expect, test } from 'vitest'
import { SpeechError } from '../speech-error.ts'
import { createLexicon } from '../text/lexicon.ts'
import { createToneEngine } from '../tone.ts'
import { ENCODED_STREAM_FORMATS, type EncodedStreamFormat } from '../stream/models.ts'
import { createRenderPool } from './render-pool.ts'
import { streamEncodedSpeech, type StreamEncodedSpeechOptions } from './stream-encoded-speech.ts'

const renderers = createRenderPool({ threads: 1 })
afterAll(() => renderers.close())

const start = (options: Partial<StreamEncodedSpeechOptions> = {}) =>
  streamEncodedSpeech({
    engine: createToneEngine(),
    renderers,
    text: 'This is said. And so is this.',
    model: 'synth-v1',
    voice: 'default',
    language: 'en-US',
    emotion: 'neutral',
    speed: 1,
    format: 'pcm',
    ...options,
  })

async function read(options: Partial<StreamEncodedSpeechOptions> = {}) {
  const stream = start(options)
  const parts: Uint8Array[] = []
  for (let result = await stream.next(); ; result = await stream.next()) {
    if (result.done === true) return { ...result.value, bytes: Buffer.concat(parts), parts }
    parts.push(result.value)
  }
}

test('gives pcm at 24 kHz, and how long it is', async () => {
  const { bytes, durationSeconds } = await read()
  expect(bytes.length).toBe(durationSeconds * 24_000 * 2)
  expect(durationSeconds).toBeGreaterThan(1.5)
  expect(Math.max(...decodeInt16(bytes, s16le))).toBeGreaterThan(5000)
})

test('gives WAV of the same samples, with a header of unknown length', async () => {
  const { bytes } = await read({ format: 'wav' })
  const { format, samples } = decodeWav(bytes)
  expect(format).toMatchObject({ sampleRateHz: 24_000, channels: 1 })
  expect(samples).toEqual(decodeInt16((await read()).bytes, s16le))
})

test('gives FLAC of the same samples, every bit of them, in less than WAV', { tags: 'ffmpeg' }, async () => {
  const { bytes } = await read({ format: 'flac' })
  const pcm = (await read()).bytes
  expect(runTool('ffmpeg', ['-f', 'flac', '-i', '-', '-f', 's16le', '-'], bytes)).toEqual(pcm)
  expect(bytes.length).toBeLessThan(pcm.length)
})

const MAGIC = { mp3: /^fff[23]/, opus: /^4f676753/, aac: /^fff[19]/ } as const

async function expectSmallerModels(format: keyof typeof MAGIC): Promise<void> {
  const large = await read({ format })
  expect(large.bytes.toString('hex', 0, 4)).toMatch(MAGIC[format])
  expect((await read({ format, model: 'synth-l2' })).bytes.length).toBeLessThan(large.bytes.length / 1.5)
}

test.each(['mp3', 'opus'] as const)('gives %s, smaller for a smaller model', expectSmallerModels)
test('gives aac, smaller for a smaller model', { tags: 'ffmpeg' }, () => expectSmallerModels('aac'))

async function expectStreaming(format: EncodedStreamFormat): Promise<void> {
  const controller = new AbortController()
  const stream = start({ format, text: 'Words of a text. '.repeat(20), signal: controller.signal })
  expect((await stream.next()).done).toBe(false)
  controller.abort()
  const rest = Array.fromAsync(stream)
  await expect(rest).rejects.toSatisfy((error) => error instanceof SpeechError && error.code === 'aborted')
  const first = await read({ format })
  expect(first.parts.length).toBeGreaterThan(3)
  expect((await read({ format })).bytes).toEqual(first.bytes)
}

test.each(ENCODED_STREAM_FORMATS.filter((format) => format !== 'aac'))(
  'gives %s before it is all spoken, and the same again',
  expectStreaming,
)
test('gives aac before it is all spoken, and the same again', { tags: 'ffmpeg' }, () =>
  expectStreaming('aac'),
)

test('an abort frees the encoder of a reader that has left', async () => {
  // More than a thread takes at a time.
  for (let round = 0; round < 260; round++) {
    const controller = new AbortController()
    await start({ format: 'mp3', signal: controller.signal }).next()
    controller.abort()
  }
})

test('speaks terms as the lexicon says', async () => {
  const lexicon = createLexicon([{ term: 'KYC', spoken_as: 'know your customer' }])
  const { bytes } = await read({ text: 'The KYC is done.', lexicon })
  expect(bytes).toEqual((await read({ text: 'The know your customer is done.' })).bytes)
})
