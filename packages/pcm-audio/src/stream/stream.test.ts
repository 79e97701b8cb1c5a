import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDtmfDetector } from '../dtmf/dtmf-detector.ts'
import { generateDtmf } from '../dtmf/generate-dtmf.ts'
import { createFramer } from '../frame/framer.ts'
import { pcm16Bytes } from '../convert/pcm16-bytes.ts'
import { createResampler } from '../resample/resample.ts'
import { decodeWav } from '../wav/read-wav.ts'
import { toWav } from '../wav/to-wav.ts'
import { guard, StalledError } from './guard.ts'
import { pipe } from './pipe.ts'
import { decode, encode, frame, resample, through } from './stages.ts'
import { toReadableStream, toTransformStream } from './web-streams.ts'

const collect = async <Chunk>(stream: AsyncIterable<Chunk>): Promise<Chunk[]> => await Array.fromAsync(stream)
const samples = Int16Array.from({ length: 4801 }, (_, index) => 9000 * Math.sin(index / 7))
const cut = <Part extends Int16Array | Uint8Array>(whole: Part, sizes: readonly number[]): Part[] => {
  const parts: Part[] = []
  for (let start = 0, turn = 0; start < whole.length; turn++) {
    const size = sizes[turn] ?? 999
    parts.push(whole.subarray(start, start + size) as Part)
    start += size
  }
  return parts
}

/** Creates a source that records the number of requested chunks, and whether it has ended. */
function watched<Chunk>(chunks: Iterable<Chunk>) {
  const seen = { asked: 0, ended: false }
  const stream = (async function* source() {
    try {
      for (const chunk of chunks) {
        seen.asked++
        yield chunk
      }
    } finally {
      seen.ended = true
    }
  })()
  return { seen, stream }
}

describe('pipe', () => {
  test('equals its processors called directly, for any source and any chunk boundaries', async () => {
    const resampler = createResampler({ fromHz: 24_000, toHz: 16_000 })
    const framer = createFramer({ samplesPerFrame: 320 })
    const byHand = [
      ...framer.push(Int16Array.from([...resampler.push(samples), ...resampler.flush()])),
      ...framer.flush(),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 20 }),
        fc.constantFrom('array', 'iterable', 'stream'),
        async (sizes, kind) => {
          const chunks = cut(pcm16Bytes(samples), sizes)
          const source =
            kind === 'array' ? chunks : kind === 'stream' ? toReadableStream(chunks) : watched(chunks).stream
          const frames = pipe(
            source,
            decode(),
            resample({ fromHz: 24_000, toHz: 16_000 }),
            frame({ samplesPerFrame: 320 }),
          )
          expect(await collect(frames)).toEqual(byHand)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('requests no more chunks than its reader, and ends the source when it ends', async () => {
    const { seen, stream } = watched(Array.from({ length: 100 }, () => new Int16Array(320)))
    const frames = pipe(stream, frame({ samplesPerFrame: 640 }))[Symbol.asyncIterator]()
    expect(seen.asked).toBe(0)
    await frames.next()
    await frames.next()
    expect(seen.asked).toBe(4)
    await frames.return?.()
    expect(seen).toEqual({ asked: 4, ended: true })
  })

  test('an error in a stage rejects and ends the source', async () => {
    const { seen, stream } = watched([samples, samples])
    const broken = through<Int16Array, Int16Array>(() => ({
      push() {
        throw new TypeError('broken')
      },
    }))
    await expect(collect(pipe(stream, broken))).rejects.toThrow('broken')
    expect(seen).toEqual({ asked: 1, ended: true })
  })

  test('accepts any processor of this package', async () => {
    const tones = generateDtmf('42', { sampleRateHz: 8000 })
    const presses = through(() => createDtmfDetector({ sampleRateHz: 8000 }))
    const heard = await collect(pipe([tones], encode(), decode(), presses))
    expect(heard.map(({ key }) => key)).toEqual(['4', '2'])
  })

  test('refuses bytes that end within a sample', async () => {
    await expect(collect(pipe([new Uint8Array(3)], decode()))).rejects.toThrow('ends within a frame')
  })
})

describe('web streams', () => {
  test('are read one chunk at a time, and pass a cancellation on', async () => {
    const { seen, stream } = watched([samples, samples, samples])
    const reader = toReadableStream(stream).getReader()
    expect((await reader.read()).value).toBe(samples)
    expect(seen.asked).toBe(1)
    await reader.cancel()
    expect(seen.ended).toBe(true)
  })

  test('are cancelled when a pipe stops early', async () => {
    let cancelled = false
    const stream = new ReadableStream<Int16Array>({
      pull: (controller) => controller.enqueue(new Int16Array(100)),
      cancel() {
        cancelled = true
      },
    })
    for await (const taken of pipe(stream, frame({ samplesPerFrame: 50 }))) {
      expect(taken).toHaveLength(50)
      break
    }
    expect(cancelled).toBe(true)
  })

  test('can pass through stages as transforms', async () => {
    const bytes = toReadableStream(cut(pcm16Bytes(samples), [3, 5, 7]))
    const parts = await collect(bytes.pipeThrough(toTransformStream(decode())))
    expect(parts.flatMap((part) => [...part])).toEqual([...samples])
  })
})

describe('guard', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const hanging: AsyncIterable<Int16Array> = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
  }

  test('ends at once on an abort even if the source hangs', async () => {
    const controller = new AbortController()
    const taken = collect(pipe(hanging, guard({ signal: controller.signal }), frame({ samplesPerFrame: 4 })))
    controller.abort(new Error('hung up'))
    await expect(taken).rejects.toThrow('hung up')
  })

  test('reads nothing if the signal was aborted before', async () => {
    const { seen, stream } = watched([samples])
    await expect(
      collect(pipe(stream, guard({ signal: AbortSignal.abort(new Error('no')) }))),
    ).rejects.toThrow('no')
    expect(seen.asked).toBe(0)
  })

  test('an abort between two chunks ends the source', async () => {
    const controller = new AbortController()
    const { seen, stream } = watched([samples, samples])
    const iterator = pipe(stream, guard({ signal: controller.signal }))[Symbol.asyncIterator]()
    await iterator.next()
    controller.abort()
    await expect(iterator.next()).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(seen.ended).toBe(true))
  })

  test('rejects if the source stalls, but not if the reader pauses', async () => {
    const iterator = pipe(watched([samples, samples]).stream, guard({ idleTimeoutMs: 100 }))[
      Symbol.asyncIterator
    ]()
    await iterator.next()
    vi.advanceTimersByTime(1000)
    await expect(iterator.next()).resolves.toMatchObject({ done: false })
    const stalled = expect(collect(pipe(hanging, guard({ idleTimeoutMs: 100 })))).rejects.toThrow(
      StalledError,
    )
    await vi.advanceTimersByTimeAsync(101)
    await stalled
    expect(vi.getTimerCount()).toBe(0)
  })

  test('refuses a timeout of 0', () => {
    expect(() => guard({ idleTimeoutMs: 0 })).toThrow(RangeError)
  })
})

test('a stream becomes a WAV file in one line', async () => {
  const response = new Response(toWav(cut(samples, [1, 2, 3]), { sampleRateHz: 16_000 }))
  const file = await response.bytes()
  expect(decodeWav(file)).toEqual({
    format: {
      sampleRateHz: 16_000,
      channels: 1,
      sampleFormat: 's16le',
      validBits: 16,
      channelMask: undefined,
      dataBytes: undefined,
    },
    samples,
    chunks: [],
  })
})
