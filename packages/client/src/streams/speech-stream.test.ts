import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutInto, cuts, streamOf } from '../../test/support/cut.ts'
import { createService } from '../../test/support/service.ts'
import { ApiError, TruncatedStreamError } from '../errors.ts'
import { createSpeech } from '../resources/speech.ts'

const SAMPLES = Int16Array.from({ length: 3 * 320 }, (_, index) => index * 31 - 15_000)
const BYTES = new Uint8Array(SAMPLES.buffer)

const speechOf = (
  bytes: Uint8Array,
  sizes: readonly number[] = [1000],
  headers = { 'x-stream-descriptor': '{}' },
) =>
  createSpeech(
    createService(() => new Response(streamOf(cutInto(bytes, sizes)), { headers })).options,
  ).stream({ input: 'Hello' })

test('yields complete frames of 320 samples whatever the chunk boundaries, even within samples', () =>
  fc.assert(
    fc.asyncProperty(cuts, async (sizes) => {
      const frames = await Array.fromAsync(speechOf(BYTES, sizes))
      expect(frames.map((frame) => frame.length)).toEqual([320, 320, 320])
      expect(frames.flatMap((frame) => [...frame])).toEqual([...SAMPLES])
    }),
    { numRuns: 20 },
  ))

test('fails as truncated if the last frame is incomplete', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(BYTES.length), async (length) => {
      const reading = Array.fromAsync(speechOf(BYTES.subarray(0, length)))
      if (length % 640 === 0) await expect(reading).resolves.toHaveLength(length / 640)
      else await expect(reading).rejects.toBeInstanceOf(TruncatedStreamError)
    }),
    { numRuns: 50 },
  ))

test('refuses a stream without its descriptor, and ends its connection', async () => {
  const error = await speechOf(BYTES, [1000], { 'x-stream-descriptor': '' }).catch((error: unknown) => error)
  expect(ApiError.isInstance(error, 'speech.stream') && error.code).toBe('unrecognized')
})

test('toWav returns a header and the samples', async () => {
  const wav = await (await speechOf(BYTES)).toWav()
  const view = new DataView(wav.buffer)
  expect(new TextDecoder('latin1').decode(wav.subarray(0, 4))).toBe('RIFF')
  expect(view.getUint32(4, true)).toBe(36 + BYTES.length)
  expect([view.getUint16(22, true), view.getUint32(24, true), view.getUint16(34, true)]).toEqual([
    1, 16_000, 16,
  ])
  expect(view.getUint32(40, true)).toBe(BYTES.length)
  expect(wav.subarray(44)).toEqual(BYTES)
})

test('toReadableStream yields the frames on demand', async () => {
  const stream = (await speechOf(BYTES)).toReadableStream()
  const frames = await Array.fromAsync(stream)
  expect(frames.flatMap((frame) => [...frame])).toEqual([...SAMPLES])
})

describe('the connection ends', () => {
  function endless() {
    let canceled = false
    const body = new ReadableStream<Uint8Array>(
      { pull: (controller) => controller.enqueue(BYTES), cancel: () => void (canceled = true) },
      { highWaterMark: 0 },
    )
    const { options } = createService(() => new Response(body, { headers: { 'x-stream-descriptor': '{}' } }))
    return { speech: createSpeech(options).stream({ input: 'Hello' }), isCanceled: () => canceled }
  }

  test('when the web stream is canceled', async () => {
    const { speech, isCanceled } = endless()
    const reader = (await speech).toReadableStream().getReader()
    await reader.read()
    await reader.cancel()
    await expect.poll(isCanceled).toBe(true)
  })

  test('at the end of a block with await using, read or not', async () => {
    for (const reads of [true, false]) {
      const { speech, isCanceled } = endless()
      {
        await using stream = await speech
        if (reads) expect((await stream[Symbol.asyncIterator]().next()).value).toHaveLength(320)
        expect(isCanceled()).toBe(false)
      }
      await expect.poll(isCanceled).toBe(true)
    }
  })
})

/** Like the player of `@vaani/pcm-audio`, whose own types need those of a web page. */
type PipeFrom = (
  stream: ReadableStream<Int16Array | Uint8Array> | AsyncIterable<Int16Array | Uint8Array>,
  options?: { signal?: AbortSignal },
) => Promise<void>

describe('piped', () => {
  test('to a player, which pulls the frames', async () => {
    const played: number[] = []
    const player: { pipeFrom: PipeFrom } = {
      async pipeFrom(frames) {
        for await (const frame of frames) played.push(...frame)
      },
    }
    await (await speechOf(BYTES)).pipeTo(player)
    expect(played).toEqual([...SAMPLES])
  })

  test('awaits each write before the next, then closes the sink', async () => {
    const events: string[] = []
    await (
      await speechOf(BYTES)
    ).pipeTo({
      async write() {
        events.push('write')
        await Promise.resolve()
        events.push('written')
      },
      close: () => events.push('close'),
      abort: () => events.push('abort'),
    })
    expect(events).toEqual(['write', 'written', 'write', 'written', 'write', 'written', 'close'])
  })

  test('to a WritableStream', async () => {
    const samples: number[] = []
    const sink = new WritableStream<Int16Array<ArrayBuffer>>({
      write: (frame) => void samples.push(...frame),
    })
    await (await speechOf(BYTES)).pipeTo(sink)
    expect(samples).toEqual([...SAMPLES])
    await expect(sink.getWriter().closed).resolves.toBeUndefined()
  })

  test('a stream that fails aborts the sink and rejects', async () => {
    const reasons: unknown[] = []
    const piping = (await speechOf(BYTES.subarray(0, 700))).pipeTo({
      write: () => undefined,
      abort: (reason: unknown) => reasons.push(reason),
    })
    await expect(piping).rejects.toBeInstanceOf(TruncatedStreamError)
    expect(reasons).toEqual([expect.any(TruncatedStreamError)])
  })

  test('a sink that fails ends the stream, and its error is thrown', async () => {
    const piping = (await speechOf(BYTES)).pipeTo({
      write() {
        throw new RangeError('no speaker')
      },
      abort() {
        throw new Error('nor this')
      },
    })
    await expect(piping).rejects.toThrow('no speaker')
  })
})
