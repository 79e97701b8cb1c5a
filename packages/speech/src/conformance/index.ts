/** The guarantees of every engine, as vitest tests. Call `runEngineConformance` from a test file of the engine's package. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NEUTRAL } from '../emotions.ts'
import {
  sampleRateOf,
  type SpeechEngine,
  type SpokenWord,
  type SynthesisOptions,
  type SynthesisRequest,
} from '../engine.ts'
import { SpeechError } from '../speech-error.ts'
import { findClicks } from './find-clicks.ts'
import { hostileTexts } from './hostile-text.ts'

const HOSTILE_SEED = 12
/** Enough for an engine that needs a second per sentence. */
const HOSTILE_TIMEOUT_MS = 600_000

const digestOf = (samples: Int16Array): string =>
  createHash('sha256')
    .update(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))
    .digest('hex')

export interface ConformanceOptions {
  name: string
  createEngine(): SpeechEngine | Promise<SpeechEngine>
  /** A sentence that lasts some seconds, in a language of the engine. What precedes its first comma can be said alone. */
  sample: { text: string; language: string }
  /**
   * How many texts that try to command the engine are spoken, by default 120: known commands, then random texts of them. Fewer
   * suffice where another engine does the speaking.
   */
  hostileTextCount?: number
}

export function runEngineConformance(options: ConformanceOptions): void {
  describe(`${options.name} as a speech engine`, () => {
    let engine: SpeechEngine
    beforeAll(async () => {
      engine = await options.createEngine()
    })
    afterAll(() => engine.close())
    const bench = createBench(options, () => engine)
    testRepeatability(bench)
    testSound(bench)
    testReaders(bench)
    testTexts(bench)
  })
}

type Bench = ReturnType<typeof createBench>

const isCode = (code: string) => (error: unknown) => error instanceof SpeechError && error.code === code

function createBench(options: ConformanceOptions, engine: () => SpeechEngine) {
  const { createEngine, sample, hostileTextCount = 120 } = options
  const requestOf = (request: Partial<SynthesisRequest> = {}): SynthesisRequest => ({
    ...sample,
    voice: engine().capabilities().voices[0] ?? '',
    prosody: NEUTRAL,
    ...request,
  })
  async function say(
    request: Partial<SynthesisRequest> = {},
    synthesisOptions?: SynthesisOptions,
  ): Promise<Int16Array> {
    const chunks: Int16Array[] = []
    for await (const chunk of engine().synthesize(requestOf(request), synthesisOptions)) chunks.push(chunk)
    const whole = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
    let offset = 0
    for (const chunk of chunks) {
      whole.set(chunk, offset)
      offset += chunk.length
    }
    return whole
  }
  /** Says a text that an engine may refuse, as long as it serves the next one. */
  const sayOrRefuse = (text: string): Promise<Int16Array> =>
    say({ text }).catch((error: unknown) => {
      if (isCode('text_refused')(error)) return new Int16Array()
      throw error
    })
  return { createEngine, sample, hostileTextCount, engine, requestOf, say, sayOrRefuse }
}

const rateOf = ({ engine, sample }: Bench): number => sampleRateOf(engine().capabilities(), sample.language)

/** The same request makes the same samples, whatever was said before or is said beside it. */
function testRepeatability(bench: Bench): void {
  const { requestOf, say, sayOrRefuse } = bench

  test('makes the same samples for the same request', async () => {
    const [first, second] = [await say(), await say()]
    expect(first.length).toBeGreaterThan(rateOf(bench) / 2)
    expect(digestOf(second)).toBe(digestOf(first))
  })

  test('makes the same samples in another instance, regardless of earlier speech', async () => {
    const first = digestOf(await say())
    await say({ text: 'Something else, at another rate', prosody: { ...NEUTRAL, rate: 2 } })
    const other = await bench.createEngine()
    try {
      const chunks = await Array.fromAsync(other.synthesize(requestOf()))
      expect(digestOf(Int16Array.from(chunks.flatMap((chunk) => [...chunk])))).toBe(first)
    } finally {
      await other.close()
    }
    expect(digestOf(await say())).toBe(first)
  })

  test(
    'obeys no command in a text and carries no state over to the next request',
    async () => {
      // A few words, because they are said after each text. What changes speech changes them as well.
      const [text = ''] = bench.sample.text.split(',', 1)
      const sayFew = () => say({ text })
      const plain = digestOf(await sayFew())
      const count = bench.hostileTextCount
      for (const hostile of [...hostileTexts({ rows: count, seed: HOSTILE_SEED })].slice(0, count)) {
        await sayOrRefuse(hostile)
        expect(digestOf(await sayFew()), JSON.stringify(hostile)).toBe(plain)
      }
      // On every thread.
      const together = await Promise.all(Array.from({ length: 8 }, sayFew))
      for (const samples of together) expect(digestOf(samples)).toBe(plain)
    },
    HOSTILE_TIMEOUT_MS,
  )

  test('serves concurrent requests without mixing their samples', async () => {
    const [start = ''] = bench.sample.text.split(',', 1)
    const texts = Array.from({ length: 8 }, (_, index) => `${start} ${index}`)
    const alone: string[] = []
    for (const text of texts) alone.push(digestOf(await say({ text })))
    const together = await Promise.all(texts.map((text) => say({ text })))
    expect(together.map(digestOf)).toEqual(alone)
  })
}

/** Sound, and what is reported of it. */
function testSound(bench: Bench): void {
  const { requestOf, say } = bench

  test('yields samples in chunks', async () => {
    let chunks = 0
    for await (const chunk of bench.engine().synthesize(requestOf())) if (chunk.length > 0) chunks++
    expect(chunks).toBeGreaterThan(1)
  })

  test('joins its chunks without clicks', async () => {
    const chunks = await Array.fromAsync(bench.engine().synthesize(requestOf()))
    expect(findClicks(chunks, rateOf(bench))).toEqual([])
  })

  test('is neither silent nor clipped', async () => {
    const samples = await say({ prosody: { ...NEUTRAL, energy: 1 } })
    const clipped = samples.filter((sample) => Math.abs(sample) >= 32_760).length
    expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true)
    expect(clipped / samples.length).toBeLessThan(0.001)
  })

  test('follows the rate', async () => {
    const [slow, fast] = [
      await say({ prosody: { ...NEUTRAL, rate: 0.5 } }),
      await say({ prosody: { ...NEUTRAL, rate: 2 } }),
    ]
    expect(slow.length / fast.length).toBeGreaterThan(3)
    expect(slow.length / fast.length).toBeLessThan(5)
  })

  test('has voices that differ', async () => {
    const said = await Promise.all(
      bench
        .engine()
        .capabilities()
        .voices.map((voice) => say({ voice })),
    )
    expect(new Set(said.map((samples) => Buffer.from(samples.buffer).toString('base64'))).size).toBe(
      said.length,
    )
  })

  test('ends speech that goes on with a pause, if it says so', async () => {
    const { pauses } = bench.engine().capabilities()
    // Streams tell other engines nothing.
    if (pauses !== true) return
    const [alone, goesOn] = [await say(), await say({ continues: true })]
    const pause = (goesOn.length - alone.length) / rateOf(bench)
    expect(pause).toBeGreaterThanOrEqual(0.05)
    expect(pause).toBeLessThan(1)
  })

  test('reports words in their order, before their sound, if it says so', async () => {
    if (bench.engine().capabilities().words !== true) return
    const sampleRateHz = rateOf(bench)
    const text = `${bench.sample.text} & <b> "quoted" 😀 ${bench.sample.text}`
    for (const continues of [false, true]) {
      const said: { word: string; atSeconds: number }[] = []
      let until = 0
      let samples = 0
      const onWord = ({ start, end, atSeconds }: SpokenWord): void => {
        expect(start).toBeGreaterThanOrEqual(until)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        expect(Math.round(atSeconds * sampleRateHz)).toBeGreaterThanOrEqual(samples)
        expect(atSeconds).toBeGreaterThanOrEqual(said.at(-1)?.atSeconds ?? 0)
        until = end
        said.push({ word: text.slice(start, end), atSeconds })
      }
      for await (const chunk of bench.engine().synthesize(requestOf({ text, continues }), { onWord }))
        samples += chunk.length
      expect(said.at(-1)?.atSeconds ?? 0).toBeLessThan(samples / sampleRateHz)
      const wordsOf = (written: string) => written.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
      // Most of them: engines join small words and say signs.
      const found = wordsOf(said.map(({ word }) => word).join(' '))
      expect(found.length).toBeGreaterThan(0.7 * wordsOf(text).length)
    }
  })
}

/** Readers that leave, abort or close. */
function testReaders(bench: Bench): void {
  const { requestOf, say } = bench

  test('serves the next request after a reader leaves', async () => {
    for (let round = 0; round < 5; round++)
      for await (const _ of bench.engine().synthesize(requestOf({ text: `${bench.sample.text} `.repeat(3) })))
        break
    expect((await say()).length).toBeGreaterThan(0)
  })

  test('rejects with `aborted` on an abort, and serves the next request', async () => {
    const controller = new AbortController()
    const speech = bench.engine().synthesize(requestOf(), { signal: controller.signal })
    const iterator = speech[Symbol.asyncIterator]()
    await iterator.next()
    controller.abort()
    const rest = async () => {
      while ((await iterator.next()).done !== true);
    }
    await expect(rest()).rejects.toSatisfy(isCode('aborted'))
    await expect(say({}, { signal: AbortSignal.abort() })).rejects.toSatisfy(isCode('aborted'))
    expect((await say()).length).toBeGreaterThan(0)
  })

  test('ends speech in progress when it is closed', async () => {
    const other = await bench.createEngine()
    const speech = other.synthesize(requestOf({ text: `${bench.sample.text} `.repeat(3) }))
    const iterator = speech[Symbol.asyncIterator]()
    await iterator.next()
    await other.close()
    await other.close()
    const rest = async () => {
      while ((await iterator.next()).done !== true);
    }
    await expect(rest()).rejects.toSatisfy(isCode('engine_closed'))
    await expect(other.synthesize(requestOf())[Symbol.asyncIterator]().next()).rejects.toSatisfy(
      isCode('engine_closed'),
    )
  })
}

/** Texts, voices and languages that are out of the ordinary. */
function testTexts(bench: Bench): void {
  const { say, sayOrRefuse } = bench

  test('refuses an unknown voice or language', async () => {
    await expect(say({ voice: 'nobody' })).rejects.toSatisfy(isCode('voice_not_found'))
    await expect(say({ language: 'tlh-QO' })).rejects.toSatisfy(isCode('language_not_supported'))
  })

  test('reads markup as text', async () => {
    const rate = rateOf(bench)
    const [plain, marked, broken, listed, lists] = [
      await say({ text: 'one two' }),
      await say({ text: 'one <break time="9s"/> two' }),
      await say({ text: 'one & <two' }),
      await say({ text: 'the array 1,2 and 3,4 is here' }),
      await say({ text: 'the array [[1,2] and [3,4]] is here' }),
    ]
    expect(marked.length).toBeGreaterThan(plain.length * 1.2)
    expect(marked.length).toBeLessThan(9 * rate)
    expect(broken.length).toBeGreaterThan(plain.length * 0.9)
    expect(lists.length).toBeGreaterThan(listed.length * 0.9)
  })

  test('accepts any text, or refuses it as such', async () => {
    for (const text of ['.', '...', '\u0000', '\ud800', '😀', '<', '&amp;', '\u202e', 'a'.repeat(200)])
      expect((await sayOrRefuse(text)).length).toBeGreaterThanOrEqual(0)
  })
}
