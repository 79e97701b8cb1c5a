import { createDelayEstimate } from './delay-estimate.ts'
import { frameSamples } from '../frame/framer.ts'
import { dbfsToAmplitude } from '../measure/dbfs.ts'
import { createLossConcealment, type LossConcealment } from '../repair/loss-concealment.ts'
import { createSampleTimeline } from './sample-timeline.ts'
import { createSequenceTracker } from './sequence-tracker.ts'

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
  /**
   * The delay changes only while every sample is below this level, or when packets pause; -50 by default, -Infinity for
   * never.
   */
  quietDbfs?: number
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
  /** Quiet audio removed and inserted to change the delay. */
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

/**
 * Creates a jitter buffer. Its only clock is the times passed to its methods.
 *
 * The delay starts at its minimum. If the stream runs out, concealment fills the time while it waits for the next packet:
 * the filled time counts against a gap in front of that packet, or else adds to the delay. The target delay is the one
 * within which 97 % of recent packets arrived; the buffer approaches it by removing or repeating a frame during quiet.
 * Samples are played in order, and all of them are played unless packets are lost or late, or quiet is removed. Memory is
 * fixed at creation.
 *
 * @throws RangeError if a frame is not a whole number of samples, or the delays are not a range from 0
 * @example
 * const buffer = createJitterBuffer({ sampleRateHz: 8000, minDelayMs: 20 })
 * buffer.push({ sequenceNumber: 8, timestamp: 160, samples: new Int16Array(160).fill(2) }, 0)
 * buffer.push({ sequenceNumber: 7, timestamp: 0, samples: new Int16Array(160).fill(1) }, 5)
 * console.log([20, 40].map((nowMs) => buffer.pull(nowMs)[0])) // [1, 2]
 */
export function createJitterBuffer(options: JitterBufferOptions): JitterBuffer {
  const { sampleRateHz, frameMs = 20, minDelayMs = 40, maxDelayMs = 400, quietDbfs = -50 } = options
  const samplesPerFrame = frameSamples({ sampleRateHz, durationMs: frameMs })
  if (!(minDelayMs >= 0 && maxDelayMs >= minDelayMs && maxDelayMs <= 60_000))
    throw new RangeError('The delays of a jitter buffer must be a range from 0 to at most 60,000 ms')
  const { concealment = createLossConcealment({ sampleRateHz }) } = options
  const quiet = 32_768 * dbfsToAmplitude(quietDbfs)
  const toMs = (samples: number) => (samples / sampleRateHz) * 1000
  const capacity = Math.ceil((maxDelayMs * sampleRateHz) / 1000) + samplesPerFrame
  const timeline = createSampleTimeline({ capacity })
  const sequence = createSequenceTracker()
  const estimate = createDelayEstimate({ maxDelayMs })
  const nothing = new Int16Array(0)
  /** Offset of all positions, so large that none falls below 0. */
  const origin = 2 ** 32

  const counts = { received: 0, late: 0, duplicated: 0, stray: 0, restarts: 0 }
  const samples = { concealed: 0, discarded: 0, shortened: 0, lengthened: 0 }
  /** `idle` before the first packet; `filling` until its delay has elapsed. */
  let phase: 'idle' | 'filling' | 'playing' = 'idle'
  let hasPlayed = false
  let playFromMs = 0
  /** The highest position so far, and its arrival time. */
  let newest = 0
  let newestArrivalMs = 0
  /** Sequence number that would confirm that a stray packet began a new stream; -1 for none. */
  let provingNumber = -1
  /** Samples of concealment since the stream ran out. */
  let waited = 0
  let nowMs = 0

  const targetDelayMs = () => Math.min(maxDelayMs, Math.max(minDelayMs, estimate.neededMs))
  const delayMs = () =>
    phase === 'playing' ? nowMs - toMs(timeline.start) - estimate.baseMs : targetDelayMs()

  function begin(packet: AudioPacket, arrivalMs: number): number {
    const place = origin + (packet.timestamp >>> 0)
    sequence.restart()
    sequence.take(packet.sequenceNumber & 0xff_ff)
    samples.discarded += timeline.held
    timeline.moveTo(place)
    estimate.reset()
    newest = place
    newestArrivalMs = arrivalMs
    phase = 'filling'
    playFromMs = arrivalMs + minDelayMs
    waited = 0
    return place
  }

  /**
   * Returns whether a position can belong to this stream: it differs from the newest by no more than elapsed time and
   * buffer.
   */
  function follows(place: number, arrivalMs: number): boolean {
    const passedMs = Math.max(0, arrivalMs - newestArrivalMs)
    return Math.abs(toMs(place - newest)) <= passedMs + maxDelayMs + frameMs
  }

  function makeRoomUntil(end: number): void {
    const first = end - capacity
    if (first <= timeline.start) return
    const left = timeline.skipTo(first)
    waited = 0
    samples.discarded += left
    // The next samples are not adjacent to those played last, so fade them in as after a hole.
    if (left > 0 && hasPlayed) concealment.conceal(nothing)
  }

  function fillHole(into: Int16Array): void {
    concealment.conceal(into)
    if (!concealment.isSilent) samples.concealed += into.length
  }

  /** Returns whether the next two frames are complete and the first of them is quiet. */
  function isNextQuiet(): boolean {
    if (timeline.runLength(timeline.start, 2 * samplesPerFrame) < 2 * samplesPerFrame) return false
    for (let index = 0; index < samplesPerFrame; index++)
      if (Math.abs(timeline.at(timeline.start + index)) >= quiet) return false
    return true
  }

  /** Moves the delay towards its target by one quiet frame. Returns whether it has filled the frame. */
  function adapt(frame: Int16Array): boolean {
    const offMs = delayMs() - targetDelayMs()
    if (Math.abs(offMs) <= frameMs || !isNextQuiet()) return false
    if (offMs > 0) {
      samples.shortened += timeline.skipTo(timeline.start + samplesPerFrame)
      return false
    }
    for (let index = 0; index < samplesPerFrame; index++) frame[index] = timeline.at(timeline.start + index)
    concealment.push(frame, frame)
    samples.lengthened += samplesPerFrame
    return true
  }

  function play(frame: Int16Array): void {
    for (let filled = 0; filled < samplesPerFrame;) {
      const run = timeline.runLength(timeline.start, samplesPerFrame - filled)
      if (run > 0) {
        const part = frame.subarray(filled, filled + run)
        timeline.take(part)
        concealment.push(part, part)
        waited = 0
        filled += run
      } else if (timeline.end <= timeline.start) {
        fillHole(frame.subarray(filled))
        waited += samplesPerFrame - filled
        filled = samplesPerFrame
      } else if (waited > 0) {
        // Concealment has filled this hole already, before its length was known.
        const hole = timeline.holeLength(timeline.start, waited)
        timeline.skipTo(timeline.start + hole)
        waited = hole < waited ? 0 : waited - hole
      } else {
        const hole = timeline.holeLength(timeline.start, samplesPerFrame - filled)
        fillHole(frame.subarray(filled, filled + hole))
        timeline.skipTo(timeline.start + hole)
        filled += hole
      }
    }
  }

  return {
    samplesPerFrame,
    push(packet, arrivalMs = nowMs) {
      if (!Number.isFinite(arrivalMs)) throw new RangeError('The arrival time of a packet must be finite')
      counts.received++
      const sequenceNumber = packet.sequenceNumber & 0xff_ff
      const verdict = phase === 'idle' ? 'new' : sequence.take(sequenceNumber)
      if (verdict === 'duplicate') {
        counts.duplicated++
        return 'duplicate'
      }
      // The nearest of all positions that wrap to this timestamp.
      let place = newest + ((packet.timestamp - newest) | 0)
      if (phase === 'idle') {
        place = begin(packet, arrivalMs)
      } else if (verdict === 'jump' || !follows(place, arrivalMs)) {
        if (sequenceNumber !== provingNumber) {
          provingNumber = (sequenceNumber + 1) & 0xff_ff
          counts.stray++
          return 'stray'
        }
        counts.restarts++
        place = begin(packet, arrivalMs)
      }
      provingNumber = -1
      if (place > newest) {
        newest = place
        newestArrivalMs = arrivalMs
      }
      estimate.add(arrivalMs - toMs(place), arrivalMs)
      const end = place + packet.samples.length
      // Playback has not started, so a packet from before the first one is still in time.
      if (phase === 'filling' && place < timeline.start && timeline.end - place <= capacity)
        timeline.skipTo(place)
      if (end <= timeline.start && packet.samples.length > 0) {
        counts.late++
        return 'late'
      }
      makeRoomUntil(end)
      timeline.put(place, packet.samples)
      return 'queued'
    },
    pull(now, into = new Int16Array(samplesPerFrame)) {
      if (!Number.isFinite(now)) throw new RangeError('The time of a pull must be finite')
      if (into.length !== samplesPerFrame)
        throw new RangeError(`The array to fill must be a frame of ${samplesPerFrame} samples`)
      nowMs = now
      if (phase === 'filling' && nowMs >= playFromMs) phase = 'playing'
      if (phase === 'playing') hasPlayed = true
      if (!hasPlayed) into.fill(0)
      else if (phase !== 'playing') fillHole(into)
      else if (!adapt(into)) play(into)
      return into
    },
    statistics: () => ({
      ...counts,
      lost: sequence.missing,
      concealedMs: toMs(samples.concealed),
      discardedMs: toMs(samples.discarded),
      shortenedMs: toMs(samples.shortened),
      lengthenedMs: toMs(samples.lengthened),
      bufferedMs: toMs(timeline.held),
      delayMs: delayMs(),
      targetDelayMs: targetDelayMs(),
    }),
  }
}
