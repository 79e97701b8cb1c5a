import { assert } from 'chai'
import {
  AbortedError,
  ConnectionError,
  SessionError,
  StalledStreamError,
  type SynthesisEvent,
  type SynthesisSession,
  TimeoutError,
  TruncatedStreamError,
} from '../../src/index.ts'
import { API_KEY, type Fault, failureOf, type Scene } from './fault.ts'
import { answers, DESCRIPTOR, fails, FRAME, hangs, refuses, speaks, starts } from './socket-steps.ts'
import { SECRET } from './steps.ts'

const SAMPLES = [...new Int16Array(FRAME.buffer)]

/** Reads to the end. `heard` resolves once enough events have arrived. */
function listen(session: SynthesisSession, enough = Infinity) {
  const events: SynthesisEvent[] = []
  const heard = Promise.withResolvers<void>()
  const reading = async (): Promise<void> => {
    for await (const event of session) if (events.push(event) === enough) heard.resolve()
  }
  return { events, heard: heard.promise, ended: reading() }
}

const typesOf = (events: readonly SynthesisEvent[]): string[] => events.map(({ type }) => type)

/** Checks that no timer is left, and that the error shows neither the key nor a text. */
function isLetGo({ clock, inspect }: Scene, error: unknown): void {
  assert.strictEqual(clock.pending(), 0)
  assert.notInclude(inspect(error), API_KEY)
  assert.notInclude(inspect(error), SECRET)
}

const isRefused = async (scene: Scene, tries: number): Promise<void> => {
  const error = await failureOf(scene.vaani.realtime.synthesize())
  assert(ConnectionError.isInstance(error))
  assert.strictEqual(error.attempts, tries)
  assert.lengthOf(await scene.server.seen(), tries)
  isLetGo(scene, error)
}

const isNotOfTheContract = async (scene: Scene): Promise<void> => {
  const session = await scene.vaani.realtime.synthesize()
  session.speak('Good morning.')
  const error = await failureOf(Array.fromAsync(session))
  assert(SessionError.isInstance(error))
  assert.strictEqual(error.code, 'unrecognized')
  await scene.server.closed(1)
  isLetGo(scene, error)
}

export const sockets: readonly Fault[] = [
  {
    name: 'A session: messages arrive in order, audio between marks, up to the end, without canceled audio',
    sockets: [speaks],
    async check(scene) {
      const { vaani, server } = scene
      const session = await vaani.realtime.synthesize()
      session.speak('नमस्ते', { emotion: 'warm', speed: 1.25 })
      session.flush()
      session.setEmotion('calm')
      session.cancel()
      session.speak('Good morning.')
      session.end()
      assert.throws(() => session.speak('too late'), TypeError)
      const { events, ended } = listen(session)
      await ended
      assert.deepEqual(events, [
        { type: 'started', descriptor: DESCRIPTOR },
        { type: 'mark', kind: 'phrase', text: 'नमस्ते', at_ms: 0 },
        { type: 'flushed' },
        { type: 'canceled', at_ms: 20 },
        { type: 'mark', kind: 'phrase', text: 'Good morning.', at_ms: 20 },
        { type: 'audio', samples: Int16Array.from(SAMPLES) },
        { type: 'ended', duration_ms: 40 },
      ])
      const [request] = await server.seen()
      assert.isUndefined(request?.headers['authorization'])
      const said = request?.body
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
      assert.deepEqual(said, [
        { type: 'speak', text: 'नमस्ते', emotion: 'warm', speed: 1.25 },
        { type: 'flush' },
        { type: 'emotion', emotion: 'calm' },
        { type: 'cancel' },
        { type: 'speak', text: 'Good morning.' },
        { type: 'end' },
      ])
      assert.throws(() => session.flush(), TypeError)
      await server.closed(1)
      isLetGo(scene, null)
    },
  },
  {
    name: 'A session that is cut off: a TruncatedStreamError after the received events, and from speak() as well',
    sockets: [answers((peer) => peer.send(FRAME))],
    async check(scene) {
      const session = await scene.vaani.realtime.synthesize()
      session.speak('Good morning.')
      session.flush()
      const { events, heard, ended } = listen(session, 3)
      await heard
      await scene.server.hangUp(1)
      const error = await failureOf(ended)
      assert(TruncatedStreamError.isInstance(error))
      assert.strictEqual(error.requestId, DESCRIPTOR.request_id)
      assert.deepEqual(typesOf(events), ['started', 'audio', 'audio'])
      assert.throws(() => session.speak('more'), TruncatedStreamError)
      isLetGo(scene, error)
    },
  },
  {
    name: 'A session that the service closes before its end: a TruncatedStreamError',
    sockets: [answers((peer) => peer.close())],
    async check(scene) {
      const session = await scene.vaani.realtime.synthesize()
      session.speak('Good morning.')
      const { events, ended } = listen(session)
      const error = await failureOf(ended)
      assert(TruncatedStreamError.isInstance(error))
      assert.deepEqual(typesOf(events), ['started'])
      isLetGo(scene, error)
    },
  },
  {
    name: 'A session that the service ends with an error: its code, without its text',
    sockets: [fails],
    async check(scene) {
      const session = await scene.vaani.realtime.synthesize()
      session.speak('Good morning.')
      const { events, ended } = listen(session)
      const error = await failureOf(ended)
      assert(SessionError.isInstance(error))
      assert.deepEqual([error.code, error.retryable], ['service_unavailable', true])
      assert.deepEqual(typesOf(events), ['started', 'audio'])
      await scene.server.closed(1)
      isLetGo(scene, error)
    },
  },
  {
    name: 'A message that is not JSON: a SessionError without its text',
    sockets: [answers((peer) => peer.send(SECRET))],
    check: isNotOfTheContract,
  },
  {
    name: 'Audio with half a sample: a SessionError',
    sockets: [answers((peer) => peer.send(FRAME.subarray(1)))],
    check: isNotOfTheContract,
  },
  {
    name: 'A message of a later version: passed on',
    sockets: [
      answers((peer) => {
        peer.send('{"type":"later"}')
        peer.say({ type: 'ended', duration_ms: 0 })
      }),
    ],
    async check(scene) {
      const session = await scene.vaani.realtime.synthesize()
      session.end()
      const { events, ended } = listen(session)
      await ended
      assert.deepEqual(typesOf(events), ['started', 'later', 'ended'])
      isLetGo(scene, null)
    },
  },
  {
    name: 'A reply that is due but does not arrive: a StalledStreamError; no timeout if none is due',
    sockets: [starts(() => undefined)],
    async check(scene) {
      const { vaani, clock, server } = scene
      const session = await vaani.realtime.synthesize()
      const { heard, ended } = listen(session, 1)
      await heard
      assert.strictEqual(clock.pending(), 0)
      session.speak('Good ')
      assert.strictEqual(clock.pending(), 0)
      session.flush()
      clock.advance(10_000)
      session.flush()
      clock.advance(5000)
      const error = await failureOf(ended)
      assert(StalledStreamError.isInstance(error))
      await server.closed(1)
      isLetGo(scene, error)
    },
  },
  {
    name: 'A session that is aborted: at once, and the connection ends',
    sockets: [speaks],
    async check(scene) {
      const controller = new AbortController()
      const session = await scene.vaani.realtime.synthesize({ signal: controller.signal })
      const { heard, ended } = listen(session, 1)
      await heard
      session.flush()
      controller.abort()
      const error = await failureOf(ended)
      assert(AbortedError.isInstance(error))
      assert.throws(() => session.speak('more'), AbortedError)
      await scene.server.closed(1)
      isLetGo(scene, error)
    },
  },
  {
    name: 'Abort while a session opens: at once, and the connection ends',
    sockets: [hangs],
    async check(scene) {
      const controller = new AbortController()
      const failed = failureOf(scene.vaani.realtime.synthesize({ signal: controller.signal }))
      await scene.server.received(1)
      controller.abort()
      const error = await failed
      assert(AbortedError.isInstance(error))
      await scene.server.closed(1)
      isLetGo(scene, error)
    },
  },
  {
    name: 'Leaving the loop over a session: the connection ends',
    sockets: [speaks],
    async check(scene) {
      const session = await scene.vaani.realtime.synthesize()
      session.speak('Good morning.')
      for await (const samples of session.audio()) {
        assert.deepEqual([...samples], SAMPLES)
        break
      }
      assert.throws(() => session.speak('more'), TypeError)
      await scene.server.closed(1)
      isLetGo(scene, null)
    },
  },
  {
    name: 'A session that is closed: the loop and the connection end',
    sockets: [speaks],
    async check(scene) {
      const session = await scene.vaani.realtime.synthesize()
      const { heard, ended } = listen(session, 1)
      await heard
      await session[Symbol.asyncDispose]()
      await ended
      await scene.server.closed(1)
      isLetGo(scene, null)
    },
  },
  {
    name: 'A session that is refused: retried, then a ConnectionError without the key',
    // Not 401, after which Node 24 resends the request by itself.
    sockets: [refuses(403)],
    check: (scene) => isRefused(scene, 3),
  },
  {
    name: 'A session that is refused once: the retry opens it',
    sockets: [refuses(503), speaks],
    async check({ vaani, server }) {
      const { data: session, attempts, status } = await vaani.realtime.synthesize().withResponse()
      assert.deepEqual([attempts, status], [2, 101])
      session.close()
      await server.closed(2)
    },
  },
  {
    name: 'A server that accepts a session without the subprotocol: a ConnectionError',
    sockets: [(upgrade) => upgrade.accept({ protocol: false })],
    options: { maxRetries: 0 },
    check: (scene) => isRefused(scene, 1),
  },
  {
    name: 'A server that chooses the subprotocol with the key: a ConnectionError',
    sockets: [(upgrade) => upgrade.accept({ protocol: `vaani.key.${API_KEY}` })],
    options: { maxRetries: 0 },
    check: (scene) => isRefused(scene, 1),
  },
  {
    name: 'A session that never opens: a TimeoutError',
    sockets: [hangs],
    options: { maxRetries: 0 },
    async check(scene) {
      const { vaani, server, clock } = scene
      const failed = failureOf(vaani.realtime.synthesize())
      await server.received(1)
      clock.advance(30_000)
      const error = await failed
      assert(TimeoutError.isInstance(error))
      await server.closed(1)
      isLetGo(scene, error)
    },
  },
]
