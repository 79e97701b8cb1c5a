import { createDelayEstimate } from './delay-estimate.ts'
import { frameSamples } from '../frame/framer.ts'
import { dbfsToAmplitude } from '../measure/dbfs.ts'
import { createLossConcealment, type LossConcealment } from '../repair/loss-concealment.ts'
import { createSampleTimeline } from './sample-timeline.ts'
import { createSequenceTracker } from './sequence-tracker.ts'

/** A packet, numbered as RTP does (RFC 3550, section 5.1). */
export interface AudioPacket {
  /** 16 bits, one more each packet, wrapping. */
  sequenceNumber: number
  /** The place of the first sample in the stream: 32 bits, counted in samples, wrapping. */
  timestamp: number
  samples: Int16Array
}

export interface JitterBufferOptions {
  sampleRateHz: number
  /** The length of the frames that are pulled; 20 by default. Packets may be of any length. */
  frameMs?: number
  /** The delay that packets are given at first, and at least; 40 by default. */
  minDelayMs?: number
  /** The largest delay that the buffer aims for, and, with a frame more, all that it holds; 400 by default. */
  maxDelayMs?: number
  /** The delay changes only where every sample is below this, or packets pause; -50 by default, -Infinity for never. */
  quietDbfs?: number
  /** What fills holes; that of `createLossConcealment` by default. */
  concealment?: LossConcealment
}

/**
 * What became of a packet. `late`: its time had passed. `duplicate`: it had come before. `stray`: its number or time does
 * not follow; where the next one follows it, the stream starts anew there.
 */
export type PacketVerdict = 'queued' | 'late' | 'duplicate' | 'stray'

export interface JitterStatistics {
  /** Packets pushed, of all kinds. */
  received: number
  late: number
  duplicated: number
  stray: number
  /** Packets that were passed over in the numbering, and have not come. Late ones did come. */
  lost: number
  /** How often the stream started anew. */
  restarts: number
  /** Samples that were made up for packets which were not there, until they had faded to silence. */
  concealedMs: number
  /** Samples that were left out as the buffer was full. */
  discardedMs: number
  /** Quiet that was left out, and put in, to change the delay. */
  shortenedMs: number
  lengthenedMs: number
  /** Samples held now. */
  bufferedMs: number
  /** The delay that packets are given now beyond the fastest one, and the one aimed for. */
  delayMs: number
  targetDelayMs: number
}

/** Puts packets in order and gives an even stream. */
export interface JitterBuffer {
  readonly samplesPerFrame: number
  /**
   * Takes a packet, in any order. Whatever its numbers, it throws nothing; samples are copied.
   *
   * @param arrivalMs on the clock of `pull`; by default, the time of the last pull, which makes the delay coarser
   * @throws RangeError where the time is not finite
   */
  push(packet: AudioPacket, arrivalMs?: number): PacketVerdict
  /**
   * Gives the frame of now; to be called once each frame's time. Silence before the first packet is due.
   *
   * @param nowMs on any clock that goes on evenly
   * @param into a frame to be filled; a new one by default. With it, nothing is allocated but views
   * @throws RangeError where the time is not finite, or the length not that of a frame
   */
  pull(nowMs: number, into?: Int16Array): Int16Array
  statistics(): JitterStatistics
}

/**
 * Makes a jitter buffer. Its clock is that of the calls; it never looks at another.
 *
 * The delay starts at its minimum. A packet that is not there in time is concealed, and the stream waits for it: what was
 * filled in is taken off a gap, or added to the delay. The delay aimed for is that in which 97 % of the late packets came;
 * it is reached by leaving out or adding a frame where there is quiet. Each sample is played at most once, in order; all of
 * them are where none is lost or late (and no quiet left out). Memory is fixed when it is made.
 *
 * @throws RangeError where a frame is no whole number of samples, or the delays are no range from 0
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
  /** The first place is so far on that none is below 0. */
  const origin = 2 ** 32

  const counts = { received: 0, late: 0, duplicated: 0, stray: 0, restarts: 0 }
  const samples = { concealed: 0, discarded: 0, shortened: 0, lengthened: 0 }
  /** `idle` before the first packet; `filling` until its delay is over. */
  let phase: 'idle' | 'filling' | 'playing' = 'idle'
  let hasPlayed = false
  let playFromMs = 0
  /** The latest place there was, and when it came. */
  let newest = 0
  let newestArrivalMs = 0
  /** The number that would prove that a stray packet began a new stream; -1 for none. */
  let provingNumber = -1
  /** Samples made up at the end of all there was: the stream waited for so long. */
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

  /** Whether a place can be of this stream: not longer ago than a buffer, nor further ahead than time has gone on. */
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
    // What follows does not follow what was played: it fades in, as after a hole.
    if (left > 0 && hasPlayed) concealment.conceal(nothing)
  }

  function fillHole(into: Int16Array): void {
    concealment.conceal(into)
    if (!concealment.isSilent) samples.concealed += into.length
  }

  /** Whether a frame and one more are there, and the first of them is quiet. */
  function isNextQuiet(): boolean {
    if (timeline.runLength(timeline.start, 2 * samplesPerFrame) < 2 * samplesPerFrame) return false
    for (let index = 0; index < samplesPerFrame; index++)
      if (Math.abs(timeline.at(timeline.start + index)) >= quiet) return false
    return true
  }

  /** Brings the delay nearer to its target, by a frame, where nobody hears it. True where the frame is filled already. */
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
        // The hole was filled before anybody knew how long it is.
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
      if (!Number.isFinite(arrivalMs)) throw new RangeError('A packet must arrive at a time')
      counts.received++
      const sequenceNumber = packet.sequenceNumber & 0xff_ff
      const verdict = phase === 'idle' ? 'new' : sequence.take(sequenceNumber)
      if (verdict === 'duplicate') {
        counts.duplicated++
        return 'duplicate'
      }
      // The nearest of all places that wrap to this one.
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
      // Nothing was played yet: what comes before the first packet is in time.
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
      if (!Number.isFinite(now)) throw new RangeError('A frame must be pulled at a time')
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
