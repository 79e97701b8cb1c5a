import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { API_KEY } from '../../test/faults/fault.ts'
import {
  answers,
  fails,
  FRAME,
  refuses,
  type SocketStep,
  speaks,
  starts,
} from '../../test/faults/socket-steps.ts'
import { startFaultServer } from '../../test/support/fault-server.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { SessionError } from '../errors.ts'
import { MAX_UNREAD_BYTES, type SynthesisSession } from '../streams/synthesis-session.ts'
import type { ClientOptions } from '../transport/client-options.ts'
import { createObserver } from '../transport/observer.ts'
import { createRealtime } from './realtime.ts'

// Behaviour required of every runtime is tested in test/faults/sockets.ts.

let servers = new AsyncDisposableStack()
afterEach(async () => {
  await servers.disposeAsync()
  servers = new AsyncDisposableStack()
  vi.unstubAllGlobals()
})

async function serve(sockets: readonly SocketStep[], options: Partial<ClientOptions> = {}) {
  const server = servers.adopt(await startFaultServer({ sockets }), (server) => server.stop())
  const clock = createTestClock()
  const realtime = createRealtime({
    apiKey: API_KEY,
    baseUrl: server.url,
    clock,
    random: () => 0.5,
    ...options,
  })
  return { realtime, server, clock }
}

test('buffers ten minutes of unread audio; more fails the session after the buffered audio', async () => {
  const pieces = 20
  const piece = new Uint8Array(MAX_UNREAD_BYTES / pieces)
  const { realtime, server, clock } = await serve([
    answers((peer) => {
      for (let sent = 0; sent <= pieces; sent += 1) peer.send(piece)
    }),
  ])
  const session = await realtime.synthesize()
  session.speak('Good morning.')
  await server.closed(1)
  let bytes = 0
  const reading = async (): Promise<void> => {
    for await (const samples of session.audio()) bytes += samples.byteLength
  }
  const error = await reading().catch((error: unknown) => error)
  expect(SessionError.isInstance(error) && [error.code, error.retryable]).toEqual(['backlog_full', false])
  expect(bytes).toBeGreaterThanOrEqual(MAX_UNREAD_BYTES)
  expect(clock.pending()).toBe(0)
})

test('audio that was read no longer counts', async () => {
  const piece = new Uint8Array(MAX_UNREAD_BYTES / 2)
  const { realtime } = await serve([answers((peer) => peer.send(piece))])
  await using session = await realtime.synthesize()
  session.speak('Good morning.')
  let frames = 0
  for await (const _ of session.audio()) {
    if ((frames += 1) === 4) break
    session.speak('And on.')
  }
  expect(frames).toBe(4)
})

test('buffers a megabyte of unsent text; more fails the session at once', async () => {
  const { realtime, server, clock } = await serve([(upgrade) => upgrade.accept().pause()])
  const session = await realtime.synthesize()
  const speakOn = (): void => {
    for (;;) session.speak('a'.repeat(4096))
  }
  expect(speakOn).toThrow(SessionError)
  expect(() => session.flush()).toThrow(expect.objectContaining({ code: 'backlog_full' }))
  await expect(Array.fromAsync(session)).rejects.toBeInstanceOf(SessionError)
  expect(clock.pending()).toBe(0)
  await server.stop()
})

test.each([
  ['empty audio', new Uint8Array()],
  ['audio of less than a frame', FRAME.subarray(2)],
  ['JSON that is not a message', 'null'],
  ['JSON that is false', 'false'],
  ['JSON that is a string', '"audio"'],
  ['a message without a type', '{}'],
  ['a start without its descriptor', '{"type":"started"}'],
  ['an error whose code is free text', '{"type":"error","code":"Sita Sharma","message":""}'],
  ['an unrequested end', '{"type":"ended","duration_ms":0}'],
])('%s violates the contract', async (_, sent) => {
  const { realtime } = await serve([answers((peer) => peer.send(sent))])
  const session = await realtime.synthesize()
  session.speak('Good morning.')
  await expect(Array.fromAsync(session)).rejects.toMatchObject({ code: 'unrecognized', retryable: false })
})

test('reports an abort at once, before unread events', async () => {
  const { realtime, clock } = await serve([speaks])
  const controller = new AbortController()
  const session = await realtime.synthesize({ signal: controller.signal })
  session.speak('Good morning.')
  session.flush()
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
  controller.abort(new Error('the user left'))
  const events: unknown[] = []
  const reading = async (): Promise<void> => {
    for await (const event of session) events.push(event)
  }
  await expect(reading()).rejects.toMatchObject({ code: 'aborted', cause: { message: 'the user left' } })
  expect(events).toEqual([])
})

test.each([
  ['has ended', speaks, (session: SynthesisSession) => session.end()],
  ['has failed', fails, (session: SynthesisSession) => session.speak('Good morning.')],
])('reports an abort at once if the session %s with unread events', async (_, step, last) => {
  const { realtime, server } = await serve([step])
  const controller = new AbortController()
  const session = await realtime.synthesize({ signal: controller.signal })
  session.speak('Good morning.')
  last(session)
  await server.closed(1)
  const events: unknown[] = []
  const reading = async (): Promise<void> => {
    for await (const event of session) {
      events.push(event)
      controller.abort(new Error('the user left'))
    }
  }
  await expect(reading()).rejects.toMatchObject({ code: 'aborted', cause: { message: 'the user left' } })
  expect(events).toHaveLength(1)
})

test.each([
  ['the events', 'before the first read', (session: SynthesisSession) => session, false],
  ['the events', 'during a read', (session: SynthesisSession) => session, true],
  ['the audio', 'before the first read', (session: SynthesisSession) => session.audio(), false],
  ['the audio', 'during a read', (session: SynthesisSession) => session.audio(), true],
])('canceling a stream of %s %s closes the session', async (_, __, of, waits) => {
  const { realtime, server, clock } = await serve([starts(() => undefined)])
  const session = await realtime.synthesize()
  const reader = ReadableStream.from<unknown>(of(session)).getReader()
  const read = waits ? reader.read().then(() => reader.read()) : undefined
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
  await reader.cancel()
  await server.closed(1)
  expect((await read)?.value).toBeUndefined()
})

test('cancel drops unread audio, including audio that has already arrived', async () => {
  const { realtime, clock } = await serve([speaks])
  const session = await realtime.synthesize()
  session.speak('One.')
  session.flush()
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
  session.speak('Two.')
  session.cancel()
  session.speak('Three.')
  session.end()
  const events = await Array.fromAsync(session)
  const received = events.map((event) => (event.type === 'mark' ? event.text : event.type))
  expect(received.join(' ')).toBe('started One. flushed Two. canceled Three. audio ended')
})

test('a second read of a session yields nothing', async () => {
  const { realtime } = await serve([speaks])
  const session = await realtime.synthesize()
  session.speak('Good morning.')
  session.end()
  expect(await Array.fromAsync(session.audio())).toEqual([new Int16Array(FRAME.slice().buffer)])
  expect(await Array.fromAsync(session)).toEqual([])
})

test('hooks and logs receive each opening, without the key', async () => {
  const events: object[] = []
  const log = (_message: string, event: object): void => void events.push(event)
  const { realtime } = await serve([refuses(503), speaks], {
    observer: createObserver({
      onRequest: (event) => events.push(event),
      onResponse: (event) => events.push(event),
      logger: { debug: log, warn: log },
    }),
  })
  await using session = await realtime.synthesize()
  const opening = { operation: 'synthesis.socket', method: 'GET', path: '/v1/engine/stream' }
  expect(events.filter((_, index) => index % 2 === 0)).toMatchObject([
    { ...opening, attempt: 1 },
    { ...opening, attempt: 1, status: null, retryInMs: 250, error: { code: 'connection_failed' } },
    { ...opening, attempt: 2 },
    { ...opening, attempt: 2, status: 101, error: null },
  ])
  expect(inspect([events, session], { depth: 9 })).not.toContain(API_KEY)
})

test.each(['sk_test_with space', 'sk_test/with=base64', 'sk_test,two', 'नमस्ते'])(
  'refuses a key that cannot be the name of a subprotocol before sending anything, without showing it',
  async (apiKey) => {
    const { realtime, server, clock } = await serve([speaks], { apiKey })
    const error = await realtime.synthesize().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(TypeError)
    expect(inspect(error)).not.toContain(apiKey)
    expect(await server.seen()).toEqual([])
    expect(clock.pending()).toBe(0)
  },
)

test.each([
  ['https://vaani.example.com', 'wss://vaani.example.com/v1/engine/stream'],
  ['http://127.0.0.1:8080/vaani/', 'ws://127.0.0.1:8080/vaani/v1/engine/stream'],
])('connects to %s as %s, with the key as a subprotocol', async (baseUrl, address) => {
  const made: unknown[] = []
  const failed = new Error('not opened')
  vi.stubGlobal('WebSocket', function record(...parameters: unknown[]) {
    made.push(parameters)
    throw failed
  })
  const realtime = createRealtime({ apiKey: API_KEY, baseUrl })
  await expect(realtime.synthesize()).rejects.toBe(failed)
  const options = { model: 'synth-l2', voice: 'alt1', speed: 1.5, timeoutMs: 1000 } as const
  await expect(realtime.synthesize(options)).rejects.toBe(failed)
  const protocols = ['vaani.v1', `vaani.key.${API_KEY}`]
  const query = 'model=synth-l2&voice=alt1&speed=1.5'
  expect(made).toEqual([
    [address, protocols],
    [`${address}?${query}`, protocols],
  ])
})
