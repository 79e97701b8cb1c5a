import type { MediaSession } from '../../src/media/media-session.ts'
import type { Datagram, FakeNetwork } from './fake-network.ts'
import { join } from './tones.ts'

const FRAME_MS = 20

/** Ticks a listener while others send, and returns what it heard. */
export function listen(
  network: FakeNetwork,
  listener: MediaSession,
  ticks: readonly (() => void)[],
): Int16Array[] {
  return ticks.map((act) => {
    network.advance(FRAME_MS)
    act()
    return listener.tick(null).slice()
  })
}

export const send = (session: MediaSession, frames: readonly (Int16Array | null)[]): (() => void)[] =>
  frames.map((frame) => () => session.tick(frame))

export const idle = (count: number): (() => void)[] => Array.from({ length: count }, () => () => undefined)

export const loudest = (frames: readonly Int16Array[]): number => Math.max(...join(frames).map(Math.abs))

export const rtpFrom = (network: FakeNetwork, port: number): Datagram[] =>
  network.sent.filter(({ from }) => from.port === port)
