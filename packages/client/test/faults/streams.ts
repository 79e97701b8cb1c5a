import { assert } from 'chai'
import {
  AbortedError,
  ConsumedStreamError,
  StalledStreamError,
  TruncatedStreamError,
} from '../../src/index.ts'
import { type Fault, failureOf, type Scene } from './fault.ts'
import { audio, frames, json } from './steps.ts'

const SPEECH = { input: 'Hello' } as const

/** Reads frames until the stream ends. `heard` resolves once there are enough; `count()` is their number. */
function listen({ vaani }: Scene, enough: number, signal?: AbortSignal) {
  const heard = Promise.withResolvers<void>()
  let count = 0
  const reading = async (): Promise<void> => {
    for await (const _ of vaani.speech.stream(SPEECH, { signal }))
      if ((count += 1) === enough) heard.resolve()
  }
  const failed = failureOf(reading())
  return { failed, heard: Promise.race([heard.promise, failed]), count: () => count }
}

async function isTruncated(scene: Scene): Promise<void> {
  const { failed, count } = listen(scene, 2)
  const error = await failed
  assert(TruncatedStreamError.isInstance(error))
  assert.strictEqual(error.requestId, null)
  assert.strictEqual(count(), 2)
}

/** Hangs up only after all frames are read, because some runtimes drop unread frames when a connection ends. */
async function isCutOff(scene: Scene): Promise<void> {
  const { failed, heard, count } = listen(scene, 2)
  await heard
  await scene.server.hangUp(1)
  assert(TruncatedStreamError.isInstance(await failed))
  assert.strictEqual(count(), 2)
}

export const streams: readonly Fault[] = [
  {
    name: 'Audio cut off before its content-length: a TruncatedStreamError after the received frames',
    steps: [audio((response) => response.write(frames(2)), { 'content-length': '6400' })],
    check: isCutOff,
  },
  {
    name: 'Audio cut off between chunks: a TruncatedStreamError after the received frames',
    steps: [audio((response) => response.write(frames(2)))],
    check: isCutOff,
  },
  {
    name: 'Audio that ends within a frame: a TruncatedStreamError',
    steps: [audio((response) => response.end(frames(3).subarray(0, 1500)))],
    check: isTruncated,
  },
  {
    name: 'A fetch that does not check the content-length: missing bytes are a TruncatedStreamError',
    steps: [json(200, {})],
    options: {
      fetch: async () =>
        new Response(frames(2), { headers: { 'content-length': '6400', 'x-stream-descriptor': '{}' } }),
    },
    check: isTruncated,
  },
  {
    name: 'Audio stalls: a StalledStreamError at the idle limit',
    steps: [audio((response) => response.write(frames(2)))],
    async check(scene) {
      const { failed, heard } = listen(scene, 2)
      await heard
      await scene.clock.untilSet(15_000)
      scene.clock.advance(15_000)
      const error = await failed
      assert(StalledStreamError.isInstance(error))
      assert.strictEqual(error.idleTimeoutMs, 15_000)
    },
  },
  {
    name: 'A listener that pauses: not a stall',
    steps: [audio((response) => response.end(frames(3)))],
    async check({ vaani, clock }) {
      let heard = 0
      for await (const frame of vaani.speech.stream(SPEECH)) {
        clock.advance(3_600_000)
        heard += frame.length
      }
      assert.strictEqual(heard, 960)
    },
  },
  {
    name: 'A stream that is read twice: a ConsumedStreamError',
    steps: [audio((response) => response.end(frames(3)))],
    async check({ vaani }) {
      const stream = await vaani.speech.stream(SPEECH)
      assert.lengthOf(await Array.fromAsync(stream), 3)
      for (const again of [Array.fromAsync(stream), stream.toWav(), stream.pipeTo({ write() {} })])
        assert(ConsumedStreamError.isInstance(await failureOf(again)))
    },
  },
  {
    name: 'Chat that ends without its last event: a TruncatedStreamError',
    steps: [
      (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"choices":[]}\n\n'),
    ],
    async check({ vaani }) {
      const stream = vaani.chat.stream({ model: 'echo', messages: [] })
      const error = await failureOf(Array.fromAsync(stream))
      assert(TruncatedStreamError.isInstance(error))
    },
  },
  {
    name: 'Abort while audio plays: an AbortedError at once, and the connection ends',
    steps: [audio((response) => response.write(frames(1)))],
    async check(scene) {
      const controller = new AbortController()
      const { failed, heard } = listen(scene, 1, controller.signal)
      await heard
      controller.abort()
      assert(AbortedError.isInstance(await failed))
      await scene.server.closed(1)
    },
  },
  {
    name: 'Leaving the loop: the connection ends',
    steps: [audio((response) => response.write(frames(1)))],
    async check({ vaani, server }) {
      for await (const frame of vaani.speech.stream(SPEECH)) {
        assert.strictEqual(frame.length, 320)
        break
      }
      await server.closed(1)
    },
  },
]
