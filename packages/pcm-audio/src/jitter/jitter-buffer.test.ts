import { thorough } from '@vaani/test-services/thorough'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '@vaani/signals'
import { createJitterBuffer } from './jitter-buffer.ts'
import type { AudioPacket } from './types.ts'

const FRAME = 160
/** Samples of loud noise, so that the delay is not adapted, which differ from place to place. */
const loud = (place: number) => {
  const hash = Math.imul(place + 1, 0x9e_37_79_b1)
  return Math.sign(hash) * (9000 + ((hash >>> 8) % 20_000))
}
const packetAt = (
  index: number,
  options: { sequenceNumber?: number; timestamp?: number } = {},
): AudioPacket => ({
  sequenceNumber: ((options.sequenceNumber ?? 0) + index) & 0xff_ff,
  timestamp: ((options.timestamp ?? 0) + index * FRAME) >>> 0,
  samples: Int16Array.from({ length: FRAME }, (_, n) => loud(index * FRAME + n)),
})
const placesOf = (frame: Int16Array, index: number) =>
  frame.every((sample, n) => sample === loud(index * FRAME + n))

/** Pulls a frame every 20 ms, and first pushes the packets that have arrived. */
function run(
  arrivals: readonly { packet: AudioPacket; atMs: number }[],
  options: { frames: number; minDelayMs?: number; quietDbfs?: number },
) {
  const buffer = createJitterBuffer({
    sampleRateHz: 8000,
    minDelayMs: options.minDelayMs ?? 40,
    quietDbfs: options.quietDbfs ?? -50,
  })
  const queue = arrivals.toSorted((a, b) => a.atMs - b.atMs)
  const played: Int16Array[] = []
  for (let frame = 0; frame < options.frames; frame++) {
    const nowMs = frame * 20
    while ((queue[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const next = queue.shift()
      if (next) buffer.push(next.packet, next.atMs)
    }
    played.push(buffer.pull(nowMs).slice())
  }
  return { buffer, played, statistics: buffer.statistics() }
}

test('packets that arrive in time, in any order and across both wraps, are played bit for bit', () => {
  fc.assert(
    fc.property(fc.nat(0xff_ff), fc.nat(0xff_ff_ff_ff), fc.nat(1e6), (sequenceNumber, timestamp, seed) => {
      const random = seededRandom(seed)
      const arrivals = Array.from({ length: 60 }, (_, index) => ({
        packet: packetAt(index, { sequenceNumber, timestamp }),
        // The first packet determines when playback starts.
        atMs: index * 20 + (index === 0 ? 0 : random() * 39),
      }))
      const { played, statistics } = run(arrivals, { frames: 62 })
      expect(played.slice(0, 2).every((frame) => frame.every((sample) => sample === 0))).toBe(true)
      for (let index = 0; index < 60; index++)
        expect(placesOf(played[index + 2] ?? new Int16Array(1), index)).toBe(true)
      expect(statistics).toMatchObject({
        received: 60,
        late: 0,
        lost: 0,
        duplicated: 0,
        stray: 0,
        restarts: 0,
        concealedMs: 0,
        discardedMs: 0,
      })
    }),
    { numRuns: 40 },
  )
})

describe('a hole', () => {
  test('is concealed, and later packets stay in position', () => {
    const arrivals = Array.from({ length: 20 }, (_, index) => ({ packet: packetAt(index), atMs: index * 20 }))
    const { played, statistics } = run(arrivals.toSpliced(10, 1), { frames: 22 })
    expect(Math.max(...(played[12] ?? []))).toBeGreaterThan(4000)
    expect(placesOf(played[12] ?? new Int16Array(1), 10)).toBe(false)
    // The packet after the hole fades in.
    expect(placesOf(played[14] ?? new Int16Array(1), 12)).toBe(true)
    expect(statistics).toMatchObject({ lost: 1, concealedMs: 20 })
  })

  test('from a late packet makes the stream wait, and nothing is discarded', () => {
    const arrivals = Array.from({ length: 20 }, (_, index) => ({
      packet: packetAt(index),
      // From the tenth on, 100 ms later.
      atMs: index * 20 + (index >= 10 ? 100 : 0),
    }))
    const { played, statistics } = run(arrivals, { frames: 26 })
    // One frame in between is the fade from the concealment.
    expect(placesOf(played[10 + 2 + 4] ?? new Int16Array(1), 11)).toBe(true)
    expect(statistics).toMatchObject({ late: 0, lost: 0, discardedMs: 0 })
    expect(statistics.concealedMs).toBeGreaterThan(0)
  })
})

test('duplicates and late packets are reported and not played', () => {
  const buffer = createJitterBuffer({ sampleRateHz: 8000, minDelayMs: 0 })
  expect(buffer.push(packetAt(0), 0)).toBe('queued')
  expect(buffer.push(packetAt(0), 1)).toBe('duplicate')
  expect(buffer.push(packetAt(2), 2)).toBe('queued')
  for (const nowMs of [0, 20, 40]) buffer.pull(nowMs)
  expect(buffer.push(packetAt(1), 41)).toBe('late')
  expect(buffer.statistics()).toMatchObject({ duplicated: 1, late: 1, lost: 0 })
})

test('a stream restarts once a second packet follows the first stray one', () => {
  const buffer = createJitterBuffer({ sampleRateHz: 8000, minDelayMs: 0 })
  buffer.push(packetAt(0), 0)
  buffer.pull(0)
  const other = { sequenceNumber: 40_000, timestamp: 3_000_000_000 }
  expect(buffer.push(packetAt(0, other), 20)).toBe('stray')
  buffer.pull(20)
  expect(buffer.push(packetAt(1, other), 40)).toBe('queued')
  expect(buffer.statistics()).toMatchObject({ stray: 1, restarts: 1 })
  buffer.pull(40)
  buffer.push(packetAt(2, other), 60)
  expect(placesOf(buffer.pull(60), 2)).toBe(true)
})

test('the delay grows with the jitter and shrinks again during quiet', () => {
  const random = seededRandom(3)
  const quiet = new Int16Array(FRAME).fill(3)
  const arrivals = Array.from({ length: 3000 }, (_, index) => ({
    packet: { ...packetAt(index), samples: quiet },
    atMs: index * 20 + (index > 500 && index < 1500 ? random() * 120 : 0),
  }))
  const delays = [500, 1500, 3000].map((frames) => run(arrivals, { frames, minDelayMs: 20 }).statistics)
  expect(delays[0]?.targetDelayMs).toBe(20)
  expect(delays[1]?.targetDelayMs).toBeGreaterThan(100)
  expect(delays[1]?.delayMs).toBeGreaterThan(80)
  expect(delays[2]?.targetDelayMs).toBe(20)
  expect(delays[2]?.delayMs).toBeLessThanOrEqual(60)
  expect(delays[2]?.shortenedMs).toBeGreaterThan(0)
})

const second = (at: (n: number) => number) => Int16Array.from({ length: 8000 }, (_, n) => at(n))

describe('with a sender of its own clock, or a pull timer that is off', () => {
  /** A second of each sound, which repeats without a seam. */
  const sounds = {
    quiet: second((n) => 3 * Math.sin((2 * Math.PI * 50 * n) / 8000)),
    tone: second((n) => 12_000 * Math.sin((2 * Math.PI * 440 * n) / 8000)),
    voice: second((n) =>
      [1, 2, 3, 4, 5].reduce(
        (sum, k) => sum + (3000 / k) * Math.sin((2 * Math.PI * 123 * k * n) / 8000 + k),
        0,
      ),
    ),
    noise: second((n) => loud(n) / 4),
  }

  /** Plays five minutes, with packets from a clock that is `ppm` too fast and a timer that is off by up to `timerMs`. */
  function play(
    sound: Int16Array,
    options: { ppm?: number; timerMs?: number; jitterMs?: number; minDelayMs?: number; frames?: number },
  ) {
    const { ppm = 0, timerMs = 0, jitterMs = 0, minDelayMs = 40, frames = 15_000 } = options
    const buffer = createJitterBuffer({ sampleRateHz: 8000, minDelayMs })
    const random = seededRandom(11)
    const frame = new Int16Array(FRAME)
    const delays: number[] = []
    let index = 0
    let last = 0
    let largestStep = 0
    const arrivalOf = (packet: number) => (packet * 20) / (1 + ppm / 1e6) + random() * jitterMs
    let arrivalMs = arrivalOf(0)
    for (let pull = 0; pull < frames; pull++) {
      const nowMs = pull * 20 + (random() * 2 - 1) * timerMs
      while (arrivalMs <= nowMs) {
        const samples = sound.subarray((index * FRAME) % 8000, ((index * FRAME) % 8000) + FRAME)
        buffer.push({ sequenceNumber: index & 0xff_ff, timestamp: index * FRAME, samples }, arrivalMs)
        arrivalMs = arrivalOf(++index)
      }
      buffer.pull(nowMs, frame)
      if (pull > 60)
        for (const sample of frame) {
          largestStep = Math.max(largestStep, Math.abs(sample - last))
          last = sample
        }
      else last = frame.at(-1) ?? 0
      if (pull > 1500) delays.push(buffer.statistics().delayMs)
    }
    return {
      ...buffer.statistics(),
      largestStep,
      shortestMs: Math.min(...delays),
      longestMs: Math.max(...delays),
    }
  }

  const drifts = (['quiet', 'tone', 'voice', 'noise'] as const).flatMap((name) =>
    [-300, 300].map((ppm) => [name, ppm] as const),
  )
  test.each(thorough({ usual: drifts.filter((_, index) => index % 3 === 1), long: drifts }))(
    '%s at %d ppm is played without a gap, at a steady delay',
    (name, ppm) => {
      const result = play(sounds[name], { ppm })
      expect(result).toMatchObject({ concealedMs: 0, discardedMs: 0, late: 0, lost: 0 })
      expect(result.shortestMs).toBeGreaterThan(name === 'noise' ? 15 : 25)
      expect(result.longestMs).toBeLessThan(name === 'noise' ? 130 : 70)
      // 90 ms of drift, within the range that the delay may have.
      const movedMs = result.shortenedMs - result.lengthenedMs
      expect(Math.abs(movedMs - ppm * 0.3)).toBeLessThan(name === 'noise' ? 90 : 35)
    },
  )

  test('a tone stays a tone', () => {
    const { largestStep } = play(sounds.tone, { ppm: 300, frames: 9000 })
    expect(largestStep).toBeLessThan(1.1 * 12_000 * 2 * Math.sin((Math.PI * 440) / 8000))
  })

  const jitters = (['quiet', 'voice', 'noise'] as const).flatMap((name) =>
    [0, 10, 20].map((jitterMs) => [name, jitterMs] as const),
  )
  test.each(thorough({ usual: jitters.filter((_, index) => index % 4 === 0), long: jitters }))(
    '%s, a timer off by 15 ms and jitter of %d ms cost at most one frame',
    (name, jitterMs) => {
      const result = play(sounds[name], { timerMs: 15, jitterMs, minDelayMs: 20, frames: 6000 })
      expect(result).toMatchObject({ discardedMs: 0, late: 0, lost: 0 })
      expect(result.concealedMs).toBeLessThanOrEqual(20)
      expect(result.shortenedMs + result.lengthenedMs).toBeLessThanOrEqual(40)
    },
  )

  test('a delay that was lost is rebuilt in quiet, from a single frame at a time', () => {
    // After a second, the route becomes 35 ms longer, so that 5 ms of the delay of 40 ms are left.
    const quiet = new Int16Array(FRAME).fill(3)
    const arrivals = Array.from({ length: 1000 }, (_, index) => ({
      packet: { ...packetAt(index), samples: quiet },
      atMs: index * 20 + (index < 50 ? 0 : 35),
    }))
    const { statistics } = run(arrivals, { frames: 1000 })
    expect(statistics.concealedMs).toBe(0)
    expect(statistics.delayMs).toBeGreaterThanOrEqual(35)
  })

  test('a pause between packets brings the delay to its target', () => {
    const gap = 100
    for (const shiftMs of [-35, 60]) {
      const arrivals = Array.from({ length: 120 }, (_, index) => ({
        packet: packetAt(index < 60 ? index : index + gap, {}),
        atMs: (index < 60 ? index : index + gap) * 20 + (index < 60 ? -shiftMs : 0),
      })).map(({ packet, atMs }, index) => ({
        packet: { ...packet, sequenceNumber: index },
        atMs: atMs + 100,
      }))
      const { statistics } = run(arrivals, { frames: 225, quietDbfs: Number.NEGATIVE_INFINITY })
      expect(statistics.delayMs).toBeGreaterThanOrEqual(35)
      expect(statistics.delayMs).toBeLessThanOrEqual(65)
    }
  })
})

describe('the reported delay', () => {
  const untilPause = Array.from({ length: 100 }, (_, index) => ({
    packet: packetAt(index),
    atMs: index * 20,
  }))
  const before = run(untilPause, { frames: 100 }).statistics.delayMs

  test('stays the same during a pause, and after one in which timestamps went on', () => {
    expect(run(untilPause, { frames: 350 }).statistics.delayMs).toBe(before)
    const afterPause = Array.from({ length: 50 }, (_, index) => ({
      packet: { ...packetAt(index + 350), sequenceNumber: index + 100 },
      atMs: (index + 350) * 20,
    }))
    for (const frames of [351, 352, 353, 400])
      expect(run([...untilPause, ...afterPause], { frames }).statistics.delayMs).toBe(before)
  })

  test('grows after a stall, once the packets that were held up are played', () => {
    const afterStall = Array.from({ length: 50 }, (_, index) => ({
      packet: packetAt(index + 100),
      atMs: (index + 100) * 20 + 100,
    }))
    const { delayMs } = run([...untilPause, ...afterStall], { frames: 106 }).statistics
    expect(delayMs).toBeGreaterThan(before)
  })
})

test('for any input, each pull returns one frame and memory stays bounded', () => {
  const hostile = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        step: fc.integer({ min: -5, max: 5 }),
        lateMs: fc.integer({ min: 0, max: 300 }),
        length: fc.constant(FRAME),
        jump: fc.constant(0),
      }),
    },
    fc.record({
      step: fc.nat(0xff_ff),
      lateMs: fc.nat(5000),
      length: fc.nat(20_000),
      jump: fc.nat(0xff_ff_ff_ff),
    }),
    fc.record({
      step: fc.constant(Number.NaN),
      lateMs: fc.constant(0),
      length: fc.nat(10),
      jump: fc.constantFrom(Number.NaN, -1, 1e300, Number.NEGATIVE_INFINITY),
    }),
  )
  fc.assert(
    fc.property(
      fc.array(hostile, { maxLength: 200 }),
      fc.integer({ min: 0, max: 100 }),
      (events, minDelayMs) => {
        const buffer = createJitterBuffer({ sampleRateHz: 8000, minDelayMs, maxDelayMs: 200 })
        const frame = new Int16Array(FRAME)
        let heldMs = 0
        for (const [index, { step, lateMs, length, jump }] of events.entries()) {
          const verdict = buffer.push(
            {
              sequenceNumber: index + step,
              timestamp: (index + step) * FRAME + jump,
              samples: new Int16Array(length).fill(1000),
            },
            index * 20 + lateMs,
          )
          expect(['queued', 'late', 'duplicate', 'stray']).toContain(verdict)
          expect(buffer.pull(index * 20, frame)).toBe(frame)
          const statistics = buffer.statistics()
          heldMs = Math.max(heldMs, statistics.bufferedMs)
          expect(Object.values(statistics).some(Number.isNaN)).toBe(false)
          expect(statistics.lost).toBeGreaterThanOrEqual(0)
        }
        expect(heldMs).toBeLessThanOrEqual(220)
        // It still plays an orderly stream afterwards.
        const fresh = { sequenceNumber: 5, timestamp: 77 }
        const from = events.length * 20 + 100_000
        for (let index = 0; index < 300; index++) {
          buffer.push(packetAt(index, fresh), from + index * 20)
          buffer.pull(from + index * 20, frame)
        }
        expect(frame.some((sample) => sample >= 9000)).toBe(true)
      },
    ),
    { numRuns: thorough({ usual: 100, long: 400 }), seed: 20_261_121 },
  )
})

test('refuses invalid options and times', () => {
  expect(() => createJitterBuffer({ sampleRateHz: 11_025, frameMs: 10 })).toThrow(RangeError)
  expect(() => createJitterBuffer({ sampleRateHz: 8000, minDelayMs: 50, maxDelayMs: 40 })).toThrow(RangeError)
  const buffer = createJitterBuffer({ sampleRateHz: 8000 })
  expect(() => buffer.push(packetAt(0), Number.NaN)).toThrow(RangeError)
  expect(() => buffer.pull(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  expect(() => buffer.pull(0, new Int16Array(1))).toThrow(RangeError)
})
