import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { MediaStream } from '../call/media-stream.ts'
import type { StreamMessage } from '../provider/provider.ts'
import { twilioStream } from '../twilio/twilio-stream.ts'
import { type ListenerOptions, openListener } from './open-listener.ts'

const REFERENCE = '0123456789abcdef'.repeat(2)
const STREAM = `MZ${'1'.repeat(32)}`
const CALL = `CA${'2'.repeat(32)}`
const CONNECTED = JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' })

const startOf = (token?: string) =>
  JSON.stringify({
    event: 'start',
    start: {
      streamSid: STREAM,
      callSid: CALL,
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters: token === undefined ? {} : { token },
    },
  })

/** A listener for one call, whose token is `good`. */
async function open(changes: Partial<ListenerOptions> = {}) {
  const received: (StreamMessage | 'lost' | { started: string | undefined })[] = []
  const streams: MediaStream[] = []
  const listener = await openListener({
    address: '127.0.0.1',
    port: 0,
    protocol: twilioStream,
    takeCallback: (reference, { headerOf, body }) =>
      reference === REFERENCE && headerOf('x-twilio-signature') === 'signed' && body === 'a=b',
    redeem: (token) =>
      token === 'good'
        ? {
            start(stream, callSid) {
              streams.push(stream)
              received.push({ started: callSid })
            },
            takeMessage: (message) => void received.push(message),
            loseStream: () => void received.push('lost'),
          }
        : undefined,
    ...changes,
  })
  onTestFinished(() => listener.close())
  const url = `http://127.0.0.1:${listener.port}`
  const connect = async (path = '/voice/media') => {
    const socket = new WebSocket(url.replace('http', 'ws') + path)
    const closed = new Promise<{ code: number; reason: string }>((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    )
    socket.on('error', () => undefined)
    await Promise.race([new Promise((resolve) => socket.on('open', resolve)), closed])
    return { socket, closed }
  }
  const post = (path: string, signature?: string, body = 'a=b') =>
    fetch(url + path, {
      method: 'POST',
      body,
      headers: signature === undefined ? {} : { 'x-twilio-signature': signature },
    }).then(({ status }) => status)
  return { listener, received, streams, connect, post, url }
}

describe('a callback', () => {
  test('is taken at the URL of a call if it is signed, with the path of the public URL or without', async () => {
    const { post } = await open()
    expect(await post(`/status/${REFERENCE}`, 'signed')).toBe(204)
    expect(await post(`/voice/status/${REFERENCE}`, 'signed')).toBe(204)
  })

  test('is refused without a signature, with a wrong one, at another URL, and by another method', async () => {
    const { post, url } = await open()
    expect(await post(`/status/${REFERENCE}`)).toBe(403)
    expect(await post(`/status/${REFERENCE}`, 'forged')).toBe(403)
    expect(await post(`/status/${REFERENCE.replace('0', 'f')}`, 'signed')).toBe(403)
    expect(await post('/status/1', 'signed')).toBe(404)
    expect(await post('/', 'signed')).toBe(404)
    expect((await fetch(`${url}/status/${REFERENCE}`)).status).toBe(404)
  })

  test('of more than 16 KiB is not read', async () => {
    const takeCallback = vi.fn<ListenerOptions['takeCallback']>()
    const { post } = await open({ takeCallback })
    const status = await post(`/status/${REFERENCE}`, 'signed', 'x'.repeat(16 * 1024 + 1)).catch(() => 413)
    expect(status).toBe(413)
    expect(takeCallback).not.toHaveBeenCalled()
  })
})

describe('a media socket', () => {
  test('carries messages once it has shown the token, until it closes', async () => {
    const { connect, received, streams } = await open()
    const { socket } = await connect()
    socket.send(CONNECTED)
    socket.send(startOf('good'))
    socket.send(JSON.stringify({ event: 'mark', mark: { name: '1' } }))
    await expect.poll(() => received).toEqual([{ started: CALL }, { type: 'mark', name: '1' }])
    const sent = once(socket, 'message')
    streams[0]?.send('hello')
    expect(String((await sent)[0])).toBe('hello')
    socket.terminate()
    await expect.poll(() => received.at(-1)).toBe('lost')
  })

  test('that we close is read no more, and is not lost', async () => {
    const { connect, received, streams } = await open()
    const { socket, closed } = await connect()
    socket.send(startOf('good'))
    await expect.poll(() => streams).toHaveLength(1)
    streams[0]?.close('the call is over')
    expect(await closed).toEqual({ code: 1000, reason: 'the call is over' })
    expect(received).toEqual([{ started: CALL }])
  })

  test.each([
    ['an unknown token', [CONNECTED, startOf('bad')], 'unknown token'],
    ['no token', [startOf()], 'unknown token'],
    [
      'media before its start',
      [JSON.stringify({ event: 'media', media: { track: 'inbound', payload: '' } })],
      'not a start',
    ],
    ['messages that say nothing', [CONNECTED, CONNECTED, CONNECTED], 'not a start'],
    ['no JSON', ['{'], 'not a JSON object'],
  ])('with %s is closed before it carries anything', async (_, messages, reason) => {
    const { connect, received } = await open()
    const { socket, closed } = await connect()
    for (const message of messages) socket.send(message)
    expect(await closed).toEqual({ code: 1008, reason })
    expect(received).toEqual([])
  })

  test.each([
    ['no JSON', 'x', 1008, 'not a JSON object'],
    [
      'a wrong track',
      JSON.stringify({ event: 'media', media: { track: 'outbound', payload: '' } }),
      1008,
      'media of a wrong track',
    ],
    ['binary data', Buffer.from('{}'), 1008, 'not text'],
    ['a message of more than 8 KiB', 'x'.repeat(8 * 1024 + 1), 1009, ''],
  ])('is closed at %s, and its call loses it', async (_, message, code, reason) => {
    const { connect, received } = await open()
    const { socket, closed } = await connect()
    socket.send(startOf('good'))
    socket.send(message)
    expect(await closed).toEqual({ code, reason })
    await expect.poll(() => received).toEqual([{ started: CALL }, 'lost'])
  })

  test('that shows no token in time is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { connect } = await open()
    const { socket, closed } = await connect()
    socket.send(CONNECTED)
    vi.advanceTimersByTime(5000)
    expect(await closed).toEqual({ code: 1008, reason: 'no start in time' })
  })

  test('is taken at its own path only', async () => {
    const { connect } = await open()
    expect((await (await connect('/voice/other')).closed).code).toBe(1006)
  })
})

test('connections beyond the limit are turned away, and closing ends the others', async () => {
  const { listener, connect } = await open({ maxConnections: 2 })
  const sockets = [await connect(), await connect()]
  expect((await (await connect()).closed).code).toBe(1006)
  await listener.close()
  for (const { closed } of sockets) expect((await closed).code).toBe(1006)
})

test('a port that is taken is reported', async () => {
  const { listener } = await open()
  await expect(open({ port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
