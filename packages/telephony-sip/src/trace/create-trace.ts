import type { MediaSession } from '../media/media-session.ts'
import type { SipMessage } from '../message/message.ts'
import type { Peer } from '../transport/flow.ts'
import type { OpenTransport } from '../transport/open-transport.ts'
import { maskMessage } from './mask-message.ts'

/** Frames of 20 ms from one summary of media to the next. */
const FRAMES_OF_SECOND = 50
/** Enough for a call of a quarter of an hour with every retry. */
const MOST_ENTRIES = 2000

/** Tells what a line sends and receives: each SIP message, masked, and the packets of media in each second, never their content. */
export interface Trace {
  /** Returns the transport whose messages are told. */
  follow(transport: OpenTransport): OpenTransport
  /** Tells what a session carries, until it is closed. */
  followMedia(session: MediaSession): MediaSession
  /** Is called each 20 ms. */
  tick(): void
}

/** @param report gets each entry: lines of text, the first with the time and the far end */
export function createTrace(report: (entry: string) => void, epochMs: () => number): Trace {
  let entries = 0
  const tell = (lines: readonly string[]): void => {
    entries += 1
    const time = new Date(epochMs()).toISOString().slice(11, 23)
    if (entries <= MOST_ENTRIES) report(`${time} ${lines.join('\n')}`)
    if (entries === MOST_ENTRIES) report(`${time} what follows is not told`)
  }
  const tellMessage = (arrow: string, message: SipMessage, { transport, address, port }: Peer): void =>
    tell([
      `${arrow} ${transport} ${address} ${port}`,
      ...maskMessage(message).map((line) => `  ${line}`.trimEnd()),
    ])
  const sessions = new Map<MediaSession, { sent: number; received: number }>()
  let frames = 0

  function tellMedia(session: MediaSession, before: { sent: number; received: number }): void {
    const { packetsSent, packetsReceived, lostFraction, jitterMs } = session.quality()
    const [sent, received] = [packetsSent - before.sent, packetsReceived - before.received]
    Object.assign(before, { sent: packetsSent, received: packetsReceived })
    const lost = `${(100 * lostFraction).toFixed(1)} % lost so far`
    tell([`RTP: ${sent} packets sent, ${received} received, ${lost}, jitter ${jitterMs.toFixed(1)} ms`])
  }

  return {
    follow: (transport) => ({
      isReliable: (name) => transport.isReliable(name),
      localAddress: (name) => transport.localAddress(name),
      send(message, peer) {
        tellMessage('→', message, peer)
        return transport.send(message, peer)
      },
      onMessage: (receive) =>
        transport.onMessage((message, from) => {
          tellMessage('←', message, from)
          receive(message, from)
        }),
      onPeerFailed: (receive) =>
        transport.onPeerFailed((peer) => {
          tell([`no connection to ${peer.transport} ${peer.address} ${peer.port}`])
          receive(peer)
        }),
      malformedCount: () => transport.malformedCount(),
      close: () => transport.close(),
    }),
    followMedia(session) {
      sessions.set(session, { sent: 0, received: 0 })
      return {
        localPort: session.localPort,
        sampleRateHz: session.sampleRateHz,
        agree: (audio) => session.agree(audio),
        tick: (frame) => session.tick(frame),
        press: (digits) => session.press(digits),
        onKey: (receive) => session.onKey(receive),
        quality: () => session.quality(),
        close() {
          sessions.delete(session)
          session.close()
        },
      }
    },
    tick() {
      frames += 1
      if (frames % FRAMES_OF_SECOND !== 0) return
      for (const [session, before] of sessions) tellMedia(session, before)
    },
  }
}
