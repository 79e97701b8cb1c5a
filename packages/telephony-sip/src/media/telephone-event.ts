import { writeUint16 } from './bytes.ts'

/** Keys by their event code (RFC 4733, table 3). */
const KEYS = '0123456789*#ABCD'
/** Length of a payload (RFC 4733, 2.3). */
export const TELEPHONE_EVENT_BYTES = 4
/** Level of the key in -dBm0, in the range that RFC 4733 (3.2) asks for. */
const VOLUME = 10
/** The end is sent three times, so that the loss of one packet does not hide it (RFC 4733, 2.5.1.4). */
const END_PACKETS = 3
/** Longest duration of a segment; longer keys go on in a further one (RFC 4733, 2.5.1.3). */
const MAX_DURATION = 0xff_ff
/** No packet is overtaken for 10 s, in ticks of the fastest clock here. */
const LONGEST_OVERTAKING = 10 * 48_000

/** One packet of a key that is pressed. */
export interface KeyPacket {
  readonly marker: boolean
  /** Offset of the packet's timestamp from the start of the key: 0, except in later segments of keys over 8 s. */
  readonly timestampOffset: number
}

/** Presses keys one after another. */
export interface KeySender {
  /** Queues keys. Ignores characters other than 0 to 9, *, # and A to D. */
  press(digits: string): void
  /** True while a key, or the pause after it, lasts. */
  readonly isBusy: boolean
  /** True if the next packet starts a key: its timestamp is the current one. */
  readonly isAtStart: boolean
  /** Writes the payload of the packet for now, with a duration by this clock, or returns undefined in the pause after a key. */
  next(payload: Uint8Array, clockHz: number): KeyPacket | undefined
}

/**
 * Creates a sender of keys (RFC 4733).
 *
 * @param options.keyMs duration of a key; 100 by default
 * @param options.pauseMs duration of the pause after it; 100 by default. ITU-T Q.24 has receivers know 40 ms of both
 * @param options.packetMs time between two packets
 */
export function createKeySender(options: {
  readonly packetMs: number
  readonly keyMs?: number
  readonly pauseMs?: number
}): KeySender {
  const { packetMs, keyMs = 100, pauseMs = 100 } = options
  const keyPackets = Math.ceil(keyMs / packetMs)
  const allPackets = Math.max(keyPackets + END_PACKETS - 1, keyPackets + Math.ceil(pauseMs / packetMs))
  let queue = ''
  /** Packets of the current key so far. */
  let sent = 0
  return {
    press(digits) {
      queue += [...digits.toUpperCase()].filter((digit) => KEYS.includes(digit)).join('')
    },
    get isBusy() {
      return queue !== ''
    },
    get isAtStart() {
      return sent === 0
    },
    next(payload, clockHz) {
      const index = sent
      const digit = queue.charAt(0)
      sent += 1
      if (sent >= allPackets) {
        queue = queue.slice(1)
        sent = 0
      }
      if (index >= keyPackets + END_PACKETS - 1) return undefined
      const duration = (Math.min(index + 1, keyPackets) * packetMs * clockHz) / 1000
      const segments = Math.ceil(duration / MAX_DURATION) - 1
      const isEnd = index >= keyPackets - 1
      payload[0] = KEYS.indexOf(digit)
      payload[1] = (isEnd ? 0x80 : 0) | VOLUME
      writeUint16(payload, 2, duration - segments * MAX_DURATION)
      return { marker: index === 0, timestampOffset: segments * MAX_DURATION }
    },
  }
}

/** Turns the packets of keys into keys. */
export interface KeyReceiver {
  /** Returns the key if the packet is the first of it, however many follow or got lost. */
  take(timestamp: number, payload: Uint8Array): string | undefined
}

/** Creates a receiver of keys (RFC 4733). It identifies a key by its timestamp, and reports it at its first packet. */
export function createKeyReceiver(): KeyReceiver {
  let last: { readonly event: number; readonly timestamp: number } | undefined
  return {
    take(timestamp, payload) {
      const event = payload[0] ?? KEYS.length
      if (payload.length < TELEPHONE_EVENT_BYTES || event >= KEYS.length) return undefined
      const ahead = last === undefined ? 1 : (timestamp - last.timestamp) | 0
      // A repetition, or a packet that a later key overtook. A larger step back is a restart of the timestamps.
      if (ahead <= 0 && ahead > -LONGEST_OVERTAKING) return undefined
      const isNextSegment = last?.event === event && ahead === MAX_DURATION
      last = { event, timestamp }
      return isNextSegment ? undefined : KEYS.charAt(event)
    },
  }
}
