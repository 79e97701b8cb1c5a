import { createDelayEstimate, type DelayEstimate } from './delay-estimate.ts'
import { frameSamples } from '../frame/framer.ts'
import { dbfsToAmplitude } from '../measure/dbfs.ts'
import { createLossConcealment, type LossConcealment } from '../repair/loss-concealment.ts'
import { createPullClock, type PullClock } from './pull-clock.ts'
import { createSampleTimeline, type SampleTimeline } from './sample-timeline.ts'
import { createSequenceTracker } from './sequence-tracker.ts'
import { createTimeStretch, type TimeStretch } from './time-stretch.ts'
import type {
  AudioPacket,
  JitterBuffer,
  JitterBufferOptions,
  JitterStatistics,
  PacketVerdict,
} from './types.ts'

/** The delay is lengthened if it is this much too short, and shortened if it is this much and a frame too long. */
const TOO_SHORT_MS = 1
const TOO_LONG_MS = 5
/** Beyond these the buffer may soon run out, or holds far too much: any sound will do to change the delay. */
const URGENT_SHARE = 0.5
const URGENT_FRAMES = 4

/**
 * Creates a jitter buffer. Its only clock is the times passed to its methods.
 *
 * The delay starts at its minimum. If the stream runs out, concealment fills the time while it waits for the next packet:
 * the filled time counts against a gap in front of that packet, or else adds to the delay. The target delay is the one
 * within which 97 % of recent packets arrived, and as much longer as pulls come early. The buffer approaches it by removing
 * or repeating quiet frames and periods of sound, and in pauses between packets, so that it also follows a sender whose
 * clock drifts. Memory is fixed at creation.
 *
 * @throws RangeError if a frame is not a whole number of samples, or the delays are not a range from 0
 * @example
 * const buffer = createJitterBuffer({ sampleRateHz: 8000, minDelayMs: 20 })
 * buffer.push({ sequenceNumber: 8, timestamp: 160, samples: new Int16Array(160).fill(2) }, 0)
 * buffer.push({ sequenceNumber: 7, timestamp: 0, samples: new Int16Array(160).fill(1) }, 5)
 * console.log([20, 40].map((nowMs) => buffer.pull(nowMs)[0])) // [1, 2]
 */
export const createJitterBuffer = (options: JitterBufferOptions): JitterBuffer =>
  new SampleJitterBuffer(options)

class SampleJitterBuffer implements JitterBuffer {
  readonly #sampleRateHz: number
  readonly #frameMs: number
  readonly #minDelayMs: number
  readonly #maxDelayMs: number
  readonly samplesPerFrame: number
  readonly #concealment: LossConcealment
  readonly #stretch: TimeStretch
  readonly #capacity: number
  readonly #timeline: SampleTimeline
  readonly #sequence = createSequenceTracker()
  readonly #estimate: DelayEstimate
  readonly #clock: PullClock
  /** The samples that a frame may be made of: at most a frame is left out of them. */
  readonly #stretched: Int16Array<ArrayBuffer>
  readonly #nothing = new Int16Array(0)
  /** Offset of all positions, so large that none falls below 0. */
  readonly #origin = 2 ** 32
  readonly #counts = { received: 0, late: 0, duplicated: 0, stray: 0, restarts: 0 }
  readonly #samples = { concealed: 0, discarded: 0, shortened: 0, lengthened: 0 }
  /** `idle` before the first packet; `filling` until its delay has elapsed. */
  #phase: 'idle' | 'filling' | 'playing' = 'idle'
  #hasPlayed = false
  #playFromMs = 0
  /** The highest position so far, and its arrival time. */
  #newest = 0
  #newestArrivalMs = 0
  /** Sequence number that would confirm that a stray packet began a new stream; -1 for none. */
  #provingNumber = -1
  /** Samples of concealment since the stream ran out. */
  #waited = 0
  #nowMs = 0
  /** Time at which the first sample of the timeline is due. */
  #dueMs = 0

  constructor(options: JitterBufferOptions) {
    const { sampleRateHz, frameMs = 20, minDelayMs = 40, maxDelayMs = 400, quietDbfs = -50 } = options
    this.#sampleRateHz = sampleRateHz
    this.#frameMs = frameMs
    this.#minDelayMs = minDelayMs
    this.#maxDelayMs = maxDelayMs
    const { timeStretch = true } = options
    this.samplesPerFrame = frameSamples({ sampleRateHz, durationMs: frameMs })
    if (!(minDelayMs >= 0 && maxDelayMs >= minDelayMs && maxDelayMs <= 60_000))
      throw new RangeError('The delays of a jitter buffer must be a range from 0 to at most 60,000 ms')
    const { concealment = createLossConcealment({ sampleRateHz }) } = options
    this.#concealment = concealment
    const quiet = 32_768 * dbfsToAmplitude(quietDbfs)
    this.#stretch = createTimeStretch({
      sampleRateHz,
      samplesPerFrame: this.samplesPerFrame,
      quiet,
      isSoundStretched: timeStretch,
    })
    this.#capacity = Math.ceil((maxDelayMs * sampleRateHz) / 1000) + this.samplesPerFrame
    this.#timeline = createSampleTimeline({ capacity: this.#capacity })
    this.#estimate = createDelayEstimate({ maxDelayMs })
    this.#clock = createPullClock({ frameMs })
    this.#stretched = new Int16Array(2 * this.samplesPerFrame)
  }

  push(packet: AudioPacket, arrivalMs: number = this.#nowMs): PacketVerdict {
    if (!Number.isFinite(arrivalMs)) throw new RangeError('The arrival time of a packet must be finite')
    this.#counts.received++
    const sequenceNumber = packet.sequenceNumber & 0xff_ff
    const verdict = this.#phase === 'idle' ? 'new' : this.#sequence.take(sequenceNumber)
    if (verdict === 'duplicate') {
      this.#counts.duplicated++
      return 'duplicate'
    }
    // The nearest of all positions that wrap to this timestamp.
    let place = this.#newest + ((packet.timestamp - this.#newest) | 0)
    if (this.#phase === 'idle') {
      place = this.#begin(packet, arrivalMs)
    } else if (verdict === 'jump' || !this.#follows(place, arrivalMs)) {
      if (sequenceNumber !== this.#provingNumber) {
        this.#provingNumber = (sequenceNumber + 1) & 0xff_ff
        this.#counts.stray++
        return 'stray'
      }
      this.#counts.restarts++
      place = this.#begin(packet, arrivalMs)
    }
    this.#provingNumber = -1
    if (place > this.#newest) {
      this.#newest = place
      this.#newestArrivalMs = arrivalMs
    }
    this.#estimate.add(arrivalMs - this.#toMs(place), arrivalMs)
    const end = place + packet.samples.length
    // Playback has not started, so a packet from before the first one is still in time.
    if (
      this.#phase === 'filling' &&
      place < this.#timeline.start &&
      this.#timeline.end - place <= this.#capacity
    )
      this.#timeline.skipTo(place)
    if (end <= this.#timeline.start && packet.samples.length > 0) {
      this.#counts.late++
      return 'late'
    }
    this.#makeRoomUntil(end)
    this.#timeline.put(place, packet.samples)
    return 'queued'
  }

  pull(now: number, into: Int16Array = new Int16Array(this.samplesPerFrame)): Int16Array {
    if (!Number.isFinite(now)) throw new RangeError('The time of a pull must be finite')
    if (into.length !== this.samplesPerFrame)
      throw new RangeError(`The array to fill must be a frame of ${this.samplesPerFrame} samples`)
    this.#nowMs = now
    this.#clock.take(now)
    this.#dueMs = this.#clock.nowMs
    if (this.#phase === 'filling' && this.#nowMs >= this.#playFromMs) this.#phase = 'playing'
    if (this.#phase === 'playing') this.#hasPlayed = true
    if (!this.#hasPlayed) into.fill(0)
    else if (this.#phase !== 'playing') this.#fillHole(into)
    else if (!this.#adapt(into)) this.#play(into)
    this.#dueMs += this.#frameMs
    return into
  }

  statistics(): JitterStatistics {
    return {
      ...this.#counts,
      lost: this.#sequence.missing,
      concealedMs: this.#toMs(this.#samples.concealed),
      discardedMs: this.#toMs(this.#samples.discarded),
      shortenedMs: this.#toMs(this.#samples.shortened),
      lengthenedMs: this.#toMs(this.#samples.lengthened),
      bufferedMs: this.#toMs(this.#timeline.held),
      // After the stream has run out, only the next packet shows whether it paused or was held up. Report a pause until then.
      delayMs: this.#delayMs() - this.#toMs(this.#waited),
      targetDelayMs: this.#targetDelayMs(),
    }
  }

  #toMs(samples: number): number {
    return (samples / this.#sampleRateHz) * 1000
  }

  #targetDelayMs(): number {
    return Math.min(
      this.#maxDelayMs,
      Math.max(this.#minDelayMs, this.#estimate.neededMs + this.#clock.earlyMs),
    )
  }

  #delayMs(): number {
    return this.#phase === 'playing'
      ? this.#dueMs - this.#toMs(this.#timeline.start) - this.#estimate.baseMs
      : this.#targetDelayMs()
  }

  #toSamples(ms: number): number {
    return Math.round((ms * this.#sampleRateHz) / 1000)
  }

  #begin(packet: AudioPacket, arrivalMs: number): number {
    const place = this.#origin + (packet.timestamp >>> 0)
    this.#sequence.restart()
    this.#sequence.take(packet.sequenceNumber & 0xff_ff)
    this.#samples.discarded += this.#timeline.held
    this.#timeline.moveTo(place)
    this.#estimate.reset()
    this.#newest = place
    this.#newestArrivalMs = arrivalMs
    this.#phase = 'filling'
    this.#playFromMs = arrivalMs + this.#minDelayMs
    this.#waited = 0
    return place
  }

  /**
   * Returns whether a position can belong to this stream: it differs from the newest by no more than elapsed time and
   * buffer.
   */
  #follows(place: number, arrivalMs: number): boolean {
    const passedMs = Math.max(0, arrivalMs - this.#newestArrivalMs)
    return Math.abs(this.#toMs(place - this.#newest)) <= passedMs + this.#maxDelayMs + this.#frameMs
  }

  #makeRoomUntil(end: number): void {
    const first = end - this.#capacity
    if (first <= this.#timeline.start) return
    const left = this.#timeline.skipTo(first)
    this.#waited = 0
    this.#samples.discarded += left
    // The next samples are not adjacent to those played last, so fade them in as after a hole.
    if (left > 0 && this.#hasPlayed) this.#concealment.conceal(this.#nothing)
  }

  #fillHole(into: Int16Array): void {
    this.#concealment.conceal(into)
    if (!this.#concealment.isSilent) this.#samples.concealed += into.length
  }

  /** Moves the delay towards its target by a quiet frame or a period of sound. Returns whether it has filled the frame. */
  #adapt(frame: Int16Array): boolean {
    const targetMs = this.#targetDelayMs()
    const offMs = this.#delayMs() - targetMs
    if (offMs >= -TOO_SHORT_MS && offMs <= this.#frameMs + TOO_LONG_MS) return false
    const run = this.#timeline.runLength(this.#timeline.start, this.#stretched.length)
    if (run < this.samplesPerFrame) return false
    const next = this.#stretched.subarray(0, run)
    for (let index = 0; index < run; index++) next[index] = this.#timeline.at(this.#timeline.start + index)
    const isUrgent = offMs > URGENT_FRAMES * this.#frameMs || offMs < -URGENT_SHARE * targetMs
    const removed =
      offMs > 0
        ? this.#stretch.shorten(next, frame, isUrgent)
        : -this.#stretch.lengthen(next, frame, isUrgent)
    if (removed === 0) return false
    this.#samples.shortened += Math.max(0, removed)
    this.#samples.lengthened -= Math.min(0, removed)
    this.#timeline.skipTo(this.#timeline.start + this.samplesPerFrame + removed)
    this.#concealment.push(frame, frame)
    this.#waited = 0
    return true
  }

  /** Returns how many samples too long the delay is in the silence of a pause, after `passed` samples; 0 if it will do. */
  #surplusInPause(passed: number): number {
    if (!this.#concealment.isSilent) return 0
    const offMs = this.#delayMs() + this.#toMs(passed) - this.#targetDelayMs()
    return offMs < -TOO_SHORT_MS || offMs > this.#frameMs + TOO_LONG_MS ? this.#toSamples(offMs) : 0
  }

  #play(frame: Int16Array): void {
    for (let filled = 0; filled < this.samplesPerFrame;) {
      const run = this.#timeline.runLength(this.#timeline.start, this.samplesPerFrame - filled)
      if (run > 0) {
        const part = frame.subarray(filled, filled + run)
        this.#timeline.take(part)
        this.#concealment.push(part, part)
        this.#waited = 0
        filled += run
      } else if (this.#timeline.end <= this.#timeline.start) {
        this.#fillHole(frame.subarray(filled))
        this.#waited += this.samplesPerFrame - filled
        filled = this.samplesPerFrame
      } else if (this.#waited > 0) {
        // Concealment has filled this hole already, before its length was known.
        const hole = this.#timeline.holeLength(this.#timeline.start, this.#waited)
        const added = Math.min(hole, Math.max(0, -this.#surplusInPause(filled - hole)))
        this.#samples.lengthened += added
        this.#timeline.skipTo(this.#timeline.start + hole - added)
        this.#waited = hole < this.#waited || added > 0 ? 0 : this.#waited - hole
      } else if (this.#surplusInPause(filled) > 0) {
        const hole = this.#timeline.holeLength(this.#timeline.start, this.#surplusInPause(filled))
        this.#samples.shortened += hole
        this.#timeline.skipTo(this.#timeline.start + hole)
      } else {
        const hole = this.#timeline.holeLength(this.#timeline.start, this.samplesPerFrame - filled)
        this.#fillHole(frame.subarray(filled, filled + hole))
        this.#timeline.skipTo(this.#timeline.start + hole)
        filled += hole
      }
    }
  }
}
