import type { LossConcealment } from '../repair/loss-concealment.ts'

/** A packet with the numbering of RTP (RFC 3550, section 5.1). */
export interface AudioPacket {
  /** 16 bits, incremented by each packet, wrapping. */
  sequenceNumber: number
  /** Position of the first sample in the stream: 32 bits, counted in samples, wrapping. */
  timestamp: number
  samples: Int16Array
}

export interface JitterBufferOptions {
  sampleRateHz: number
  /** Length of the pulled frames; 20 by default. Packets may have any length. */
  frameMs?: number
  /** Initial and minimum delay; 40 by default. */
  minDelayMs?: number
  /** Maximum target delay; 400 by default. The buffer holds this much and one frame more. */
  maxDelayMs?: number
  /** Frames whose samples are all below this level are removed and repeated to change the delay; -50 by default. */
  quietDbfs?: number
  /**
   * Whether the delay also changes in sound, by removing and repeating single periods of a tone or voice; true by default.
   * Without it, all that is louder than quiet is played bit for bit, and clocks that drift apart cost a gap now and then.
   */
  timeStretch?: boolean
  /** Fills holes; by default that of `createLossConcealment`. */
  concealment?: LossConcealment
}

/**
 * Result of pushing a packet. `late`: its time had passed. `duplicate`: it had arrived before. `stray`: its number or
 * timestamp does not follow the stream; if the next packet follows it, the stream restarts there.
 */
export type PacketVerdict = 'queued' | 'late' | 'duplicate' | 'stray'

export interface JitterStatistics {
  /** Packets pushed, with any verdict. */
  received: number
  late: number
  duplicated: number
  stray: number
  /** Packets skipped in the numbering that have not arrived. Late packets are not lost. */
  lost: number
  /** Number of restarts of the stream. */
  restarts: number
  /** Audio synthesized for missing packets, until it had faded to silence. */
  concealedMs: number
  /** Audio discarded because the buffer was full or the stream restarted. */
  discardedMs: number
  /** Audio removed and inserted to change the delay. */
  shortenedMs: number
  lengthenedMs: number
  /** Audio held now. */
  bufferedMs: number
  /** Current delay beyond that of the fastest packet, and the target delay. */
  delayMs: number
  targetDelayMs: number
}

/** Reorders packets to an even stream. */
export interface JitterBuffer {
  readonly samplesPerFrame: number
  /**
   * Takes packets in any order and copies their samples. No sequence number or timestamp makes it throw.
   *
   * @param arrivalMs on the clock of `pull`; by default the time of the last pull, which makes the delay coarser
   * @throws RangeError if the time is not finite
   */
  push(packet: AudioPacket, arrivalMs?: number): PacketVerdict
  /**
   * Returns the frame for now. Call it once per frame interval. Returns silence before the first packet is due.
   *
   * @param nowMs on any steady clock
   * @param into frame to fill; a new one by default. With it, `pull` allocates only views
   * @throws RangeError if the time is not finite, or `into` does not have the length of a frame
   */
  pull(nowMs: number, into?: Int16Array): Int16Array
  statistics(): JitterStatistics
}
