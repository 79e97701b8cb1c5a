import { createPacer } from '@vaani/telephony/line'
import type { Trunk } from '../agent/user-agent.ts'
import { systemClock } from '../clock.ts'
import { openUdpSocket } from '../media/udp-socket.ts'
import type { CodecName } from '../sdp/description.ts'
import type { TransportName } from '../transport/flow.ts'
import { openTransport } from '../transport/open-transport.ts'
import { openPhone } from './open-phone.ts'

const LOCALHOST = '127.0.0.1'
const FRAME_MS = 20

/** Settings of {@link createSoftphone}. */
export interface SoftphoneOptions {
  readonly transport?: Extract<TransportName, 'udp' | 'tcp'>
  /** How long the phone rings before it answers. Default 1000. */
  readonly ringMs?: number
  /** Codecs that it knows. Default G.722, A-law, μ-law. */
  readonly codecs?: readonly CodecName[]
  /** Gets each frame that a call hears: 20 ms at 16 kHz, valid only during the call. */
  readonly hear?: (callId: string, frame: Int16Array) => void
}

/** A phone on this machine, at a port of 127.0.0.1. It is a simulator: no real phone rings. */
export interface Softphone {
  /** Takes calls like a trunk. */
  readonly trunk: Trunk
  /** Hangs up all calls and closes the sockets. */
  close(): Promise<void>
}

/**
 * Starts a softphone that takes calls over SIP and RTP, and behaves at `SIMULATOR_NUMBERS` as they say. It
 * lets a carrier be tried without a trunk.
 *
 * @example
 * const phone = await createSoftphone()
 * const carrier = createSipCarrier({ name: 'simulator', trunk: phone.trunk })
 */
export async function createSoftphone(options: SoftphoneOptions = {}): Promise<Softphone> {
  const { transport: transportName = 'udp', ringMs = 1000, codecs, hear } = options
  const clock = systemClock
  const transport = await openTransport({ clock, address: LOCALHOST, [transportName]: { port: 0 } })
  const phone = openPhone({
    transport,
    transportName,
    clock,
    openSocket: openUdpSocket,
    ringMs,
    codecs,
    hear,
    onBusy: () => pacer.start(),
    onIdle: () => pacer.stop(),
  })
  const pacer = createPacer({ intervalMs: FRAME_MS, monotonicMs: clock.nowMs, onTick: phone.tick })
  return { trunk: phone.trunk, close: phone.close }
}
