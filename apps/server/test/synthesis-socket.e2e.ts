import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { SessionError, type SynthesisEvent, Vaani } from '@vaani/client'
import { LIMITS, streamDescriptorSchema } from '@vaani/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSocket, type Received, refusalOf, samplesOf } from './support/open-socket.ts'
import { connectRaw } from './support/raw-connection.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { writtenLines } from './support/written-lines.ts'

const PATH = '/v1/engine/stream'
const TEXT = 'Dr. Rai owes you $12.50. Do you want it today? Call back at 3:30 p.m., or tomorrow.'
const LONG_TEXT = 'This is a sentence of a long text that is spoken. '.repeat(80)

let server: TestServer
let key: string
let vaani: Vaani
beforeAll(async () => {
  server = await startTestServer()
  key = (await server.createAccount({ tier: 'enterprise' })).key
  vaani = new Vaani({ apiKey: key, baseUrl: server.url })
})
afterAll(() => server[Symbol.asyncDispose]())

const open = (query: Record<string, string> = {}, as = key) => openSocket({ url: server.url, key: as, query })
async function streamed(body: object): Promise<number[]> {
  const response = await server.fetch(PATH, { key, body: { model: 'synth-v1', ...body } })
  return [...new Int16Array(await response.arrayBuffer())]
}
const marksOf = (events: readonly (Received | SynthesisEvent)[], kind: 'phrase' | 'word') =>
  events.flatMap((event) => (event.type === 'mark' && event.kind === kind ? [event] : []))

describe("the client's session", () => {
  test('gets the audio of the whole text, however it is cut, with marks of phrases and words as written', async () => {
    await using session = await vaani.realtime.synthesize({ voice: 'alt1', emotion: 'friendly', speed: 1.2 })
    for (let at = 0; at < TEXT.length; at += 3) session.speak(TEXT.slice(at, at + 3))
    session.end()
    const events = await Array.fromAsync(session)
    const [started] = events
    expect(started?.type === 'started' && streamDescriptorSchema.parse(started.descriptor)).toMatchObject({
      model: 'synth-v1',
      voice: 'alt1',
      request_id: expect.stringMatching(/^req_/),
    })
    const heard = events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []))
    expect(heard).toEqual(await streamed({ input: TEXT, voice: 'alt1', emotion: 'friendly', speed: 1.2 }))
    expect(events.at(-1)).toEqual({ type: 'ended', duration_ms: heard.length / 16 })
    expect(marksOf(events, 'phrase').map(({ text }) => text)).toEqual([
      'Dr. Rai owes you $12.50.',
      'Do you want it today?',
      'Call back at 3:30 p.m., or tomorrow.',
    ])
    const words = marksOf(events, 'word')
    expect(words.map(({ text }) => text).join(' ')).toMatch(
      /^Dr\. Rai owes you \$12\.50 Do you want it today Call/,
    )
    const times = words.map(({ at_ms }) => at_ms)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.at(-1)).toBeLessThan(heard.length / 16)
  })

  test.each(['synth-v1', 'synth-l1', 'synth-l2'] as const)(
    'speaks with %s as the stream does',
    async (model) => {
      await using session = await vaani.realtime.synthesize({ model })
      session.speak('Six sick hicks.')
      session.end()
      const heard = (await Array.fromAsync(session.audio())).flatMap((samples) => [...samples])
      expect(heard).toEqual(await streamed({ model, input: 'Six sick hicks.' }))
    },
  )

  test('leaves out markup, of which marks show nothing, unless it is to be kept', async () => {
    const hear = async (markup?: 'keep') => {
      await using session = await vaani.realtime.synthesize(markup && { markup })
      for (const piece of ['- Pay *', '*$5*', '* n', 'ow.\n```\nnpm', ' ci\n```\n', '- Or lat', 'er.'])
        session.speak(piece)
      session.end()
      const events = await Array.fromAsync(session)
      return {
        phrases: marksOf(events, 'phrase').map(({ text }) => text),
        heard: events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : [])),
      }
    }
    const { phrases, heard } = await hear()
    expect(phrases).toEqual(['Pay $5 now.', 'Or later.'])
    expect(heard).toEqual(await streamed({ input: 'Pay $5 now. Or later.' }))
    expect((await hear('keep')).phrases[0]).toBe('- Pay **$5** now.')
  })

  test('changes the emotion at the next phrase', async () => {
    await using session = await vaani.realtime.synthesize()
    session.speak('I was sad, but then ')
    session.setEmotion('excited')
    session.speak('it changed! And now')
    session.speak(' I laugh.')
    session.end()
    const events = await Array.fromAsync(session)
    const heard = events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []))
    const [first, second] = marksOf(events, 'phrase')
    expect(second?.text).toBe('And now I laugh.')
    const excited = await streamed({ input: 'And now I laugh.', emotion: 'excited' })
    const seconds = heard.length / 16_000 - (second?.at_ms ?? 0) / 1000
    expect(first?.at_ms).toBe(0)
    expect(seconds).toBeCloseTo(excited.length / 16_000, 1)
  })

  test('goes on after an interruption, and hears nothing from before it', async () => {
    await using session = await vaani.realtime.synthesize()
    session.speak(LONG_TEXT.slice(0, 4000))
    session.flush()
    const events: SynthesisEvent[] = []
    for await (const event of session) {
      events.push(event)
      if (event.type === 'audio' && events.filter(({ type }) => type === 'audio').length === 3) {
        session.cancel()
        session.speak('Yes?')
        session.end()
      }
    }
    const canceled = events.findIndex(({ type }) => type === 'canceled')
    // Marks and replies that arrived before stay readable, but no audio.
    expect(events.slice(0, canceled).filter(({ type }) => type === 'audio')).toHaveLength(3)
    const after = events.slice(canceled + 1)
    expect(marksOf(after, 'phrase').map(({ text }) => text)).toEqual(['Yes?'])
    const heard = after.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []))
    expect(heard).toEqual(await streamed({ input: 'Yes?' }))
  })
})

describe('messages', () => {
  test('an incomplete phrase waits for more text, a flush or the end', async () => {
    using client = await open()
    client.say(
      { type: 'speak', text: '' },
      { type: 'speak', text: 'Good mor' },
      { type: 'speak', text: 'ning' },
    )
    client.say({ type: 'flush' }, { type: 'flush' }, { type: 'speak', text: ' ' }, { type: 'end' })
    await client.until('ended')
    const order = client.received.map(({ type }) => type).filter((type) => type !== 'mark')
    expect(order.filter((type, index) => type !== 'audio' || order[index - 1] !== 'audio')).toEqual([
      'started',
      'audio',
      'flushed',
      'flushed',
      'ended',
    ])
    expect(marksOf(client.received, 'phrase').map(({ text }) => text)).toEqual(['Good morning'])
    expect(await client.closed).toBe(1000)
  })

  test('a flush between sentences does not change how they sound', async () => {
    using client = await open()
    client.say({ type: 'speak', text: 'Good morning. ' }, { type: 'flush' })
    await client.until('flushed')
    client.say({ type: 'speak', text: 'How are you?' }, { type: 'end' })
    await client.until('ended')
    const whole = await streamed({ input: 'Good morning. How are you?' })
    // A flush fills its last frame with silence.
    expect(samplesOf(client.received).length - whole.length).toBeLessThanOrEqual(640)
  })

  test('a text has its own emotion and speed', async () => {
    using client = await open({ emotion: 'calm' })
    client.say({ type: 'speak', text: 'One two three.', speed: 2, emotion: 'warm' }, { type: 'end' })
    await client.until('ended')
    expect(samplesOf(client.received)).toEqual(
      await streamed({ input: 'One two three.', speed: 2, emotion: 'warm' }),
    )
  })

  test.each([
    ['is not JSON', 'Sita Sharma', 'invalid_request'],
    ['is no object', '"speak"', 'invalid_request'],
    ['has no known type', '{"type":"shout"}', 'invalid_request'],
    ['has an unknown field', '{"type":"speak","text":"Hi","name":"Sita Sharma"}', 'invalid_request'],
    ['has an unknown emotion', '{"type":"emotion","emotion":"Sita Sharma"}', 'invalid_request'],
    ['is binary', new Uint8Array([1, 2, 3]), 'invalid_request'],
    ['is too large', JSON.stringify({ type: 'flush', more: 'a'.repeat(70_000) }), 'invalid_request'],
    ['has too much text', JSON.stringify({ type: 'speak', text: 'a'.repeat(4097) }), 'text_too_long'],
  ])('a message that %s ends the session', async (_, data, code) => {
    using client = await open()
    client.send(data)
    const error = await client.until('error')
    expect(error).toMatchObject({ code, retryable: false })
    expect(error.message).not.toContain('Sita')
    expect(await client.closed).toBe(1008)
  })

  test('a message after the end ends the session', async () => {
    using client = await open()
    client.say({ type: 'speak', text: LONG_TEXT }, { type: 'end' }, { type: 'flush' })
    expect(await client.until('error')).toMatchObject({ code: 'invalid_request' })
  })

  test('a message far over the limit, or a frame that breaks the protocol, closes the connection', async () => {
    using large = await open()
    large.send('a'.repeat(4 * LIMITS.socketMessageBytes + 1))
    expect(await large.closed).toBe(1009)
    using broken = await open()
    Reflect.get(broken.socket, '_socket').write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    expect(await broken.closed).toBe(1002)
  })

  test('text that waits is limited', async () => {
    using client = await open()
    client.socket.pause()
    for (let texts = 0; texts < 20; texts++) client.say({ type: 'speak', text: LONG_TEXT.slice(0, 4000) })
    client.socket.resume()
    expect(await client.until('error')).toMatchObject({ code: 'text_too_long', retryable: false })
  })

  test('many small messages are all heard', async () => {
    using client = await open()
    for (let count = 0; count < 1200; count++) client.say({ type: 'speak', text: 'a' })
    client.say({ type: 'cancel' }, { type: 'end' })
    expect(await client.until('ended')).toMatchObject({ duration_ms: expect.any(Number) })
  })
})

describe('an upgrade', () => {
  const refused = (query: Record<string, string>, more: Partial<Parameters<typeof refusalOf>[0]> = {}) =>
    refusalOf({ url: server.url, key, query, ...more })

  test('takes the key as a subprotocol, and selects the other one', async () => {
    const protocols = ['vaani.v1', `vaani.key.${key}`]
    using client = await openSocket({ url: server.url, key: null, protocols })
    expect(client.socket.protocol).toBe('vaani.v1')
    await client.until('started')
  })

  test.each([
    ['no key', {}, 401, 'unauthorized'],
    ['a wrong key', { headers: { authorization: `Bearer sk_test_${'0'.repeat(32)}` } }, 401, 'unauthorized'],
    [
      'a wrong subprotocol',
      { protocols: ['vaani.v1', `vaani.key.sk_test_${'0'.repeat(32)}`] },
      401,
      'unauthorized',
    ],
  ])('with %s is refused as HTTP', async (_, opening, status, code) => {
    const refusal = await refused({}, { key: null, ...opening })
    expect(refusal).toMatchObject({ status, body: { error: { code, request_id: expect.any(String) } } })
    expect(refusal.headers).toMatchObject({
      'x-request-id': expect.any(String),
      'www-authenticate': 'Bearer',
    })
  })

  test('needs the scope', async () => {
    const other = await server.createAccount({}, ['calls:read'])
    expect(await refused({}, { key: other.key })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
  })

  test.each([
    [{ model: 'stream-tts' }, 400, 'invalid_request', 'model'],
    [{ speed: '9' }, 400, 'invalid_request', 'speed'],
    [{ speed: 'fast' }, 400, 'invalid_request', 'speed'],
    [{ emotion: 'angry' }, 400, 'invalid_request', 'emotion'],
    [{ language: 'tlh' }, 400, 'invalid_request', 'language'],
    [{ voice: 'nova' }, 422, 'voice_not_found', 'voice'],
    [{ colour: 'red' }, 400, 'invalid_request', 'colour'],
  ])('with %j is refused with %i %s', async (query, status, code, param) => {
    expect(await refused(query)).toMatchObject({ status, body: { error: { code, param } } })
  })

  test('counts under the limit of its model, and under concurrent streams', async () => {
    const account = await server.createAccount({
      tier: 'enterprise',
      rateOverrides: {
        synthesis_light: { limit: 2, period_seconds: 60 },
        concurrent_streams: { limit: 1 },
      },
    })
    using first = await open({ model: 'synth-l2' }, account.key)
    await first.until('started')
    const busy = await refused({ model: 'synth-v1' }, { key: account.key })
    expect(busy).toMatchObject({
      status: 429,
      body: { error: { message: expect.stringMatching(/^concurrent_streams/) } },
    })
    expect(busy.headers['retry-after']).toBe('1')
    first.socket.close()
    await first.closed
    using second = await until(
      () => open({ model: 'synth-l1' }, account.key).catch(() => null),
      (socket) => socket !== null,
    ).then((socket) => socket ?? expect.fail())
    second.say({ type: 'end' })
    await second.closed
    const over = await until(
      () => refused({ model: 'synth-l1' }, { key: account.key }),
      ({ body }) => !JSON.stringify(body).includes('concurrent_streams'),
    )
    expect(over).toMatchObject({
      status: 429,
      body: { error: { message: expect.stringMatching(/^synthesis_light/) } },
    })
    expect(over.headers['ratelimit']).toContain('"synthesis_light";r=0')
  })

  test('every further text counts as a request', async () => {
    const account = await server.createAccount({
      tier: 'enterprise',
      rateOverrides: { synthesis_high_fidelity: { limit: 2, period_seconds: 60 } },
    })
    using client = await open({}, account.key)
    client.say(
      { type: 'speak', text: LONG_TEXT.slice(0, 4000) },
      { type: 'speak', text: LONG_TEXT.slice(0, 4000) },
    )
    // Else too much would wait.
    client.say({ type: 'cancel' })
    await client.until('canceled')
    client.say({ type: 'speak', text: LONG_TEXT.slice(0, 4000) })
    expect(await client.until('error')).toMatchObject({ code: 'rate_limit_exceeded', retryable: true })
  })

  test('elsewhere, or to something else, is an offer that is ignored', async () => {
    const { hostname, port } = new URL(server.url)
    const body = JSON.stringify({ model: 'synth-v1', input: 'Hi.' })
    const offers: [string, string, string][] = [
      ['GET', '/healthz', 'websocket'],
      ['GET', PATH, 'h2c'],
      ['POST', PATH, 'websocket'],
    ]
    const statuses = offers.map(async ([method, path, upgrade]) => {
      const headers = {
        authorization: `Bearer ${key}`,
        connection: 'Upgrade',
        upgrade,
        ...(method === 'POST' && { 'content-type': 'application/json', 'content-length': body.length }),
      }
      const request = httpRequest({ hostname, port, method, path, headers })
      request.end(method === 'POST' ? body : undefined)
      const [response] = await once(request, 'response')
      response.resume()
      await once(response, 'end')
      return [response.statusCode, response.headers.allow]
    })
    expect(await Promise.all(statuses)).toEqual([
      [200, undefined],
      [405, 'POST'],
      [200, undefined],
    ])
    expect(await refused({}, { path: '/v1/engine/socket' })).toMatchObject({ status: 404 })
  })

  test('that breaks the protocol is refused with our body, and the connection is closed', async () => {
    using raw = await connectRaw(server.url)
    raw.send(
      `GET ${PATH} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 12\r\n\r\n`,
    )
    const [answer] = await raw.untilAnswers(1)
    expect(answer).toMatchObject({ status: 400, headers: { connection: 'close' } })
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: { code: 'invalid_request' } })
    expect(await raw.untilEnded()).toBe('end')
  })
})

describe('a receiver', () => {
  test('that reads nothing holds no engine and little memory, can interrupt, and then gets only what follows', async () => {
    using client = await open()
    await client.until('started')
    client.socket.pause()
    for (let texts = 0; texts < 4; texts++) client.say({ type: 'speak', text: LONG_TEXT.slice(0, 4000) })
    // Another stream is served meanwhile.
    expect((await streamed({ input: 'Meanwhile.' })).length).toBeGreaterThan(0)
    client.say({ type: 'cancel' }, { type: 'speak', text: 'Yes?' }, { type: 'end' })
    client.socket.resume()
    await client.until('canceled')
    const from = client.received.findIndex(({ type }) => type === 'canceled')
    await client.until('ended')
    // What the operating system holds was sent before: minutes of audio, but not the quarter of an hour that was asked for.
    expect(samplesOf(client.received.slice(0, from)).length / 16_000).toBeLessThan(600)
    expect(samplesOf(client.received.slice(from))).toEqual(await streamed({ input: 'Yes?' }))
  })

  test('that asks for more answers than it reads is cut off', async () => {
    using client = await open()
    await client.until('started')
    client.socket.pause()
    for (let texts = 0; texts < 4; texts++) client.say({ type: 'speak', text: LONG_TEXT.slice(0, 4000) })
    for (let flushes = 0; flushes <= 1000; flushes++) client.say({ type: 'flush' })
    client.socket.resume()
    expect(await client.until('error')).toMatchObject({ code: 'rate_limit_exceeded', retryable: true })
    expect(await client.closed).toBe(1008)
  })

  test('that hangs up frees its slot and the engine', async () => {
    const account = await server.createAccount({
      tier: 'enterprise',
      rateOverrides: { concurrent_streams: { limit: 1 } },
    })
    using client = await open({}, account.key)
    client.say({ type: 'speak', text: LONG_TEXT.slice(0, 4000) })
    await client.until('audio')
    client.socket.terminate()
    using next = await until(
      () => open({}, account.key).catch(() => null),
      (socket) => socket !== null,
    ).then((socket) => socket ?? expect.fail())
    next.say({ type: 'end' })
    await next.until('ended')
  })
})

test('a caller that closes amid a text, and reads nothing more, holds up no other', async () => {
  using client = await open()
  client.say({ type: 'speak', text: LONG_TEXT.slice(0, 4000) })
  await client.until('audio')
  // The server gets the closing frame, and the caller never gets the reply.
  client.socket.pause()
  client.socket.close()
  using other = await open()
  other.say({ type: 'speak', text: TEXT })
  other.say({ type: 'end' })
  await other.until('ended')
})

describe('a session ends', () => {
  const clock = { ms: Date.now(), nowMs: () => clock.ms }

  test('when its caller says nothing, or after an hour', async () => {
    await using timed = await startTestServer({ clock })
    const opened = () => openSocket({ url: timed.url, key: timed.key })
    using idle = await opened()
    await idle.until('started')
    // A caller that says nothing still answers pings.
    for (let passed = 0; passed < LIMITS.socketIdleSeconds; passed += 40) {
      if (passed > 0) await once(idle.socket, 'ping')
      clock.ms += 40_000
    }
    expect(await idle.until('error')).toMatchObject({ code: 'request_timeout', retryable: true })
    using busy = await opened()
    await busy.until('started')
    clock.ms += LIMITS.socketSeconds * 1000
    expect(await busy.until('error')).toMatchObject({ code: 'request_timeout' })
    expect(await busy.closed).toBe(1008)
  })

  test('without a word when its connection answers no ping', async () => {
    await using timed = await startTestServer({ clock })
    using client = await openSocket({ url: timed.url, key: timed.key, answersPings: false })
    await client.until('started')
    clock.ms += 30_000
    await once(client.socket, 'ping')
    clock.ms += 30_000
    expect(await client.closed).toBe(1006)
    expect(client.received.map(({ type }) => type)).toEqual(['started'])
  })

  test('when the server stops, with an error that allows a retry', async () => {
    // A stop that waited for the end of the speech would take far longer than a test may.
    const stopped = await startTestServer({ config: { shutdownGraceMs: 3_600_000 } })
    const own = new Vaani({ apiKey: stopped.key, baseUrl: stopped.url })
    using client = await openSocket({ url: stopped.url, key: stopped.key })
    const session = await own.realtime.synthesize()
    client.say({ type: 'speak', text: LONG_TEXT.slice(0, 4000) })
    session.speak(LONG_TEXT.slice(0, 4000))
    await client.until('audio')
    const failure = Array.fromAsync(session).catch((error: unknown) => error)
    await stopped[Symbol.asyncDispose]()
    expect(await client.until('error')).toMatchObject({ code: 'service_unavailable', retryable: true })
    expect(await client.closed).toBe(1012)
    const error = await failure
    expect(SessionError.isInstance(error) && [error.code, error.retryable]).toEqual([
      'service_unavailable',
      true,
    ])
  })
})

test('nothing of a text, a key or a message is logged', async () => {
  using client = await openSocket({
    url: server.url,
    key: null,
    protocols: ['vaani.v1', `vaani.key.${key}`],
  })
  client.say({ type: 'speak', text: 'Sita Sharma lives in Lalitpur.' }, { type: 'flush' })
  await client.until('flushed')
  client.send('{"type":"Lalitpur"')
  await client.until('error')
  await client.closed
  const lines = await until(
    async () => writtenLines().join('\n'),
    (text) => text.includes('session_ended'),
  )
  expect(lines).toContain('session_started')
  for (const secret of ['Sita', 'Lalitpur', key]) expect(lines).not.toContain(secret)
})
