import { createDelayEstimate } from './delay-estimate.ts'
import { frameSamples } from '../frame/framer.ts'
import { dbfsToAmplitude } from '../measure/dbfs.ts'
import { createLossConcealment } from '../repair/loss-concealment.ts'
import { createPullClock } from './pull-clock.ts'
import { createSampleTimeline } from './sample-timeline.ts'
import { createSequenceTracker } from './sequence-tracker.ts'
import { createTimeStretch } from './time-stretch.ts'
import type { AudioPacket, JitterBuffer, JitterBufferOptions } from './types.ts'

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
export function createJitterBuffer(options: JitterBufferOptions): JitterBuffer {
  const { sampleRateHz, frameMs = 20, minDelayMs = 40, maxDelayMs = 400, quietDbfs = -50 } = options
  const { timeStretch = true } = options
  const samplesPerFrame = frameSamples({ sampleRateHz, durationMs: frameMs })
  if (!(minDelayMs >= 0 && maxDelayMs >= minDelayMs && maxDelayMs <= 60_000))
    throw new RangeError('The delays of a jitter buffer must be a range from 0 to at most 60,000 ms')
  const { concealment = createLossConcealment({ sampleRateHz }) } = options
  const quiet = 32_768 * dbfsToAmplitude(quietDbfs)
  const stretch = createTimeStretch({ sampleRateHz, samplesPerFrame, quiet, isSoundStretched: timeStretch })
  const toMs = (samples: number) => (samples / sampleRateHz) * 1000
  const capacity = Math.ceil((maxDelayMs * sampleRateHz) / 1000) + samplesPerFrame
  const timeline = createSampleTimeline({ capacity })
  const sequence = createSequenceTracker()
  const estimate = createDelayEstimate({ maxDelayMs })
  const clock = createPullClock({ frameMs })
  /** The samples that a frame may be made of: at most a frame is left out of them. */
  const stretched = new Int16Array(2 * samplesPerFrame)
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
  /** Time at which the first sample of the timeline is due. */
  let dueMs = 0

  const targetDelayMs = () => Math.min(maxDelayMs, Math.max(minDelayMs, estimate.neededMs + clock.earlyMs))
  const delayMs = () =>
    phase === 'playing' ? dueMs - toMs(timeline.start) - estimate.baseMs : targetDelayMs()
  const toSamples = (ms: number) => Math.round((ms * sampleRateHz) / 1000)

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

  /** Moves the delay towards its target by a quiet frame or a period of sound. Returns whether it has filled the frame. */
  function adapt(frame: Int16Array): boolean {
    const targetMs = targetDelayMs()
    const offMs = delayMs() - targetMs
    if (offMs >= -TOO_SHORT_MS && offMs <= frameMs + TOO_LONG_MS) return false
    const run = timeline.runLength(timeline.start, stretched.length)
    if (run < samplesPerFrame) return false
    const next = stretched.subarray(0, run)
    for (let index = 0; index < run; index++) next[index] = timeline.at(timeline.start + index)
    const isUrgent = offMs > URGENT_FRAMES * frameMs || offMs < -URGENT_SHARE * targetMs
    const removed =
      offMs > 0 ? stretch.shorten(next, frame, isUrgent) : -stretch.lengthen(next, frame, isUrgent)
    if (removed === 0) return false
    samples.shortened += Math.max(0, removed)
    samples.lengthened -= Math.min(0, removed)
    timeline.skipTo(timeline.start + samplesPerFrame + removed)
    concealment.push(frame, frame)
    waited = 0
    return true
  }

  /** Returns how many samples too long the delay is in the silence of a pause, after `passed` samples; 0 if it will do. */
  function surplusInPause(passed: number): number {
    if (!concealment.isSilent) return 0
    const offMs = delayMs() + toMs(passed) - targetDelayMs()
    return offMs < -TOO_SHORT_MS || offMs > frameMs + TOO_LONG_MS ? toSamples(offMs) : 0
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
        const added = Math.min(hole, Math.max(0, -surplusInPause(filled - hole)))
        samples.lengthened += added
        timeline.skipTo(timeline.start + hole - added)
        waited = hole < waited || added > 0 ? 0 : waited - hole
      } else if (surplusInPause(filled) > 0) {
        const hole = timeline.holeLength(timeline.start, surplusInPause(filled))
        samples.shortened += hole
        timeline.skipTo(timeline.start + hole)
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
      clock.take(now)
      dueMs = clock.nowMs
      if (phase === 'filling' && nowMs >= playFromMs) phase = 'playing'
      if (phase === 'playing') hasPlayed = true
      if (!hasPlayed) into.fill(0)
      else if (phase !== 'playing') fillHole(into)
      else if (!adapt(into)) play(into)
      dueMs += frameMs
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
