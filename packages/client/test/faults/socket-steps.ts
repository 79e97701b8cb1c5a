import type { EngineSocketClientMessage, EngineSocketServerMessage } from '../../src/index.ts'
import { SECRET } from './steps.ts'

/** The server's end of a WebSocket. Messages in both directions are validated against the contract. */
export interface Peer {
  onMessage(hear: (message: EngineSocketClientMessage) => void): void
  say(message: EngineSocketServerMessage): void
  /** Sends anything, without validation. */
  send(data: string | Uint8Array): void
  /** Stops reading. */
  pause(): void
  close(): void
}

/** A WebSocket upgrade request with a valid key. */
export interface Upgrade {
  /** @param options `protocol`: false to choose none */
  accept(options?: { readonly protocol: false | string }): Peer
  refuse(status: number): void
}

/** Responds to one upgrade. This file imports nothing from Node. */
export type SocketStep = (upgrade: Upgrade) => unknown

export const DESCRIPTOR = {
  note: 'test',
  first_byte_ms: 1,
  format: 'pcm16',
  sample_rate_hz: 16_000,
  request_id: 'req_12345678',
  model: 'synth-v1',
  voice: 'default',
} as const

/** A frame of 20 ms with known samples, in which no two neighbouring bytes are equal. */
export const FRAME = Uint8Array.from({ length: 640 }, (_, index) => (index * 7) % 256)

export const hangs: SocketStep = () => undefined

export const refuses =
  (status: number): SocketStep =>
  (upgrade) =>
    upgrade.refuse(status)

/** Opens the session and runs `then` on each message: before the first one, a failure could still fail the opening. */
export const answers = (then: (peer: Peer) => unknown): SocketStep =>
  starts((peer) => peer.onMessage(() => then(peer)))

/** Opens the session and leaves the rest to `then`. */
export const starts =
  (then: (peer: Peer) => unknown): SocketStep =>
  (upgrade) => {
    const peer = upgrade.accept()
    peer.say({ type: 'started', descriptor: DESCRIPTOR })
    return then(peer)
  }

/** Follows the contract: sends a mark and a frame for each text. */
export const speaks: SocketStep = starts((peer) => {
  let frames = 0
  peer.onMessage((message) => {
    switch (message.type) {
      case 'speak':
        peer.say({ type: 'mark', kind: 'phrase', text: message.text, at_ms: 20 * frames })
        peer.send(FRAME)
        frames += 1
        return
      case 'emotion':
        return
      case 'flush':
        return peer.say({ type: 'flushed' })
      case 'cancel':
        return peer.say({ type: 'canceled', at_ms: 20 * frames })
      case 'end':
        peer.say({ type: 'ended', duration_ms: 20 * frames })
        return peer.close()
    }
  })
})

export const fails: SocketStep = answers((peer) => {
  peer.send(FRAME)
  peer.say({ type: 'error', code: 'service_unavailable', message: SECRET, retryable: true })
  peer.close()
})
