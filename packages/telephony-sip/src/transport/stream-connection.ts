import type { Socket } from 'node:net'
import type { Clock } from '../clock.ts'
import { createMessageReader, type StreamItem } from '../message/message-reader.ts'
import { TransportError } from './transport-error.ts'

/** One TCP or TLS connection. */
export interface StreamConnection {
  /** @throws TransportError */
  write(bytes: Uint8Array): Promise<void>
  close(): void
}

export interface ConnectionOptions {
  readonly clock: Clock
  /** Closes it after so long without a message or keep-alive of the peer. */
  readonly idleMs: number
  /** Sends a keep-alive so often. Not at all by default. */
  readonly keepAliveMs?: number
  /** After a `broken` one, the connection closes. */
  onItem(item: StreamItem): void
  /** Called once, whoever closed it. */
  onClose(): void
}

/** What a peer may leave in our memory by not reading. */
const MAX_UNSENT_BYTES = 1024 * 1024

const PING = Buffer.from('\r\n\r\n')
const PONG = Buffer.from('\r\n')

/** Takes over a connected socket: frames what arrives, answers keep-alives (RFC 5626, 4.4.1), and bounds what is unsent. */
export function createStreamConnection(socket: Socket, options: ConnectionOptions): StreamConnection {
  const { clock, idleMs, keepAliveMs, onItem, onClose } = options
  const reader = createMessageReader()
  let cancelIdle = () => {}
  let cancelKeepAlive = () => {}

  function stayAlive(): void {
    cancelIdle()
    cancelIdle = clock.after(idleMs, () => socket.destroy())
  }

  function keepAlive(delayMs: number): void {
    cancelKeepAlive = clock.after(delayMs, () => {
      if (socket.writableLength < MAX_UNSENT_BYTES) socket.write(PING)
      keepAlive(delayMs)
    })
  }

  function receive(item: StreamItem): void {
    stayAlive()
    if (item.kind !== 'ping') return onItem(item)
    if (socket.writableLength < MAX_UNSENT_BYTES) socket.write(PONG)
  }

  socket.setNoDelay(true)
  socket.on('data', (chunk: Uint8Array) => {
    for (const item of reader.push(chunk)) {
      if (socket.destroyed) return
      receive(item)
      // Later, because a refusal may be on its way.
      if (item.kind === 'broken') setImmediate(() => socket.destroySoon())
    }
  })
  // `close` follows, and is what counts.
  socket.on('error', () => {})
  socket.once('close', () => {
    cancelIdle()
    cancelKeepAlive()
    onClose()
  })
  stayAlive()
  if (keepAliveMs !== undefined) keepAlive(keepAliveMs)

  return {
    async write(bytes) {
      if (!socket.writable) throw new TransportError('unreachable')
      if (socket.writableLength + bytes.length > MAX_UNSENT_BYTES) throw new TransportError('overloaded')
      stayAlive()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.write(bytes, (error) =>
        error ? reject(new TransportError('unreachable', { cause: error })) : resolve(),
      )
      await promise
    },
    close: () => void socket.destroy(),
  }
}
