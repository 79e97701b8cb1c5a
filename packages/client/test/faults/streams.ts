import assert from 'node:assert/strict'
import { setTimeout as realTime } from 'node:timers/promises'
import { AbortedError, StalledStreamError, TruncatedStreamError } from '../../src/index.ts'
import { audio, frames, json } from '../support/fault-server.ts'
import { type Fault, failureOf, type Scene } from './fault.ts'

const SPEECH = { input: 'Hello' } as const

/** Reads frames until it ends; what came goes where the caller sees it. */
async function listen({ vaani }: Scene, heard: Int16Array[], signal?: AbortSignal): Promise<void> {
  for await (const frame of vaani.speech.stream(SPEECH, { ...(signal && { signal }) })) heard.push(frame)
}

const cutOff = (headers: Record<string, string>): Fault['steps'] => [
  audio((response) => response.write(frames(2), () => response.socket?.end()), headers),
]

async function isTruncated(scene: Scene): Promise<void> {
  const heard: Int16Array[] = []
  const error = await failureOf(listen(scene, heard))
  assert(TruncatedStreamError.isInstance(error))
  assert.equal(error.requestId, null)
  assert.equal(heard.length, 2)
}

export const streams: readonly Fault[] = [
  {
    name: 'Audio cut off before its content-length: a TruncatedStreamError after what came',
    steps: cutOff({ 'content-length': '6400' }),
    check: isTruncated,
  },
  {
    name: 'Audio cut off between chunks: a TruncatedStreamError after what came',
    steps: cutOff({}),
    check: isTruncated,
  },
  {
    name: 'Audio that ends within a frame: a TruncatedStreamError',
    steps: [audio((response) => response.end(frames(3).subarray(0, 1500)))],
    check: isTruncated,
  },
  {
    name: 'A fetch that does not count: missing bytes are a TruncatedStreamError',
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
      const heard: Int16Array[] = []
      const listening = listen(scene, heard)
      const failed = failureOf(listening)
      await scene.clock.untilSet(15_000)
      while (heard.length < 2) await realTime(1)
      scene.clock.advance(15_000)
      const error = await failed
      assert(StalledStreamError.isInstance(error))
      assert.equal(error.idleTimeoutMs, 15_000)
    },
  },
  {
    name: 'A listener that pauses is no stall',
    steps: [audio((response) => response.end(frames(3)))],
    async check({ vaani, clock }) {
      let heard = 0
      for await (const frame of vaani.speech.stream(SPEECH)) {
        clock.advance(3_600_000)
        heard += frame.length
      }
      assert.equal(heard, 960)
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
      const heard: Int16Array[] = []
      const failed = failureOf(listen(scene, heard, controller.signal))
      const { closed } = await scene.server.request(1)
      while (heard.length < 1) await realTime(1)
      controller.abort()
      assert(AbortedError.isInstance(await failed))
      await closed
    },
  },
  {
    name: 'A loop that is left: the connection ends',
    steps: [audio((response) => response.write(frames(1)))],
    async check({ vaani, server }) {
      for await (const frame of vaani.speech.stream(SPEECH)) {
        assert.equal(frame.length, 320)
        break
      }
      const { closed } = await server.request(1)
      await closed
    },
  },
]
