import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import {
  type EngineSocketClientMessage,
  type EngineSocketServerMessage,
  engineSocketServerMessageSchema,
  SOCKETS,
} from '@vaani/contracts'
import { WebSocket } from 'ws'

/** A message of the server: audio as a number of samples, or a message that the contract allows. */
export type Received = EngineSocketServerMessage | { type: 'audio'; samples: Int16Array }

/** A client of the synthesis WebSocket that can misbehave. */
export interface TestSocket extends Disposable {
  socket: WebSocket
  say(...messages: EngineSocketClientMessage[]): void
  /** Sends text as it is. */
  send(data: string | Uint8Array): void
  /** Everything received so far. */
  received: Received[]
  /** Waits for the next message of a type, from the last one waited for. */
  until<Type extends Received['type']>(type: Type): Promise<Extract<Received, { type: Type }>>
  /** Waits until the connection is closed, and returns the code. */
  closed: Promise<number>
}

interface Opening {
  url: string
  key?: string | null
  query?: Record<string, string>
  protocols?: string[]
  headers?: Record<string, string>
  path?: string
  tls?: { ca: string; servername: string }
  /** Default true. */
  answersPings?: boolean
}

function connect(opening: Opening) {
  const { url, key, query = {}, protocols, headers, tls, path = SOCKETS.engineStream.path } = opening
  const address = `${url.replace('http', 'ws')}${path}?${new URLSearchParams(query)}`
  return new WebSocket(address, protocols ?? [SOCKETS.engineStream.protocol], {
    headers: { ...(typeof key === 'string' && { authorization: `Bearer ${key}` }), ...headers },
    ...tls,
    autoPong: opening.answersPings ?? true,
  })
}

/** Opens a session; rejects if it is refused. */
export async function openSocket(opening: Opening): Promise<TestSocket> {
  const socket = connect(opening)
  const received: Received[] = []
  let read = 0
  const closed = once(socket, 'close').then(([code]) => Number(code))
  socket.on('message', (data: Buffer, isBinary) => {
    received.push(
      isBinary
        ? { type: 'audio', samples: new Int16Array(Uint8Array.from(data).buffer) }
        : engineSocketServerMessageSchema.parse(JSON.parse(String(data))),
    )
    socket.emit('progress')
  })
  socket.on('close', () => socket.emit('progress'))
  await once(socket, 'open')
  const send = (data: string | Uint8Array): void => socket.send(data)
  return {
    socket,
    received,
    closed,
    send,
    say: (...messages) => {
      for (const message of messages) send(JSON.stringify(message))
    },
    async until(type) {
      for (;;) {
        for (let message = received[read]; message !== undefined; message = received[read]) {
          read++
          if (isOf(message, type)) return message
        }
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`Closed before ${type}`)
        await once(socket, 'progress')
      }
    },
    [Symbol.dispose]: () => socket.terminate(),
  }
}

function isOf<Type extends Received['type']>(
  message: Received,
  type: Type,
): message is Extract<Received, { type: Type }> {
  return message.type === type
}

/** Requests an upgrade that is refused, and returns the HTTP response. */
export async function refusalOf(
  opening: Opening,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: unknown }> {
  const socket = connect(opening)
  socket.on('error', () => undefined)
  const [, response]: [unknown, IncomingMessage] = await Promise.race([
    once(socket, 'unexpected-response') as Promise<[unknown, IncomingMessage]>,
    once(socket, 'open').then(() => {
      socket.terminate()
      throw new Error('The upgrade was accepted')
    }),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

export const samplesOf = (received: readonly Received[]): number[] =>
  received.flatMap((message) => (message.type === 'audio' ? [...message.samples] : []))
