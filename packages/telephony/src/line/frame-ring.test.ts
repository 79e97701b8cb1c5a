import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clearFrames,
  createFrameRing,
  heardFrames,
  passFrame,
  framesPlayed,
  type FrameRing,
  playedFrames,
  playFrame,
  roomFor,
  skipClearedFrames,
  wakeWriter,
  writeFrame,
} from './frame-ring.ts'

const frame = (value: number) => Int16Array.of(value, -value)

test('a ring behaves as a bounded queue under any sequence of operations', () => {
  const step = fc.constantFrom('write', 'play', 'pass', 'clear', 'skip')
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(step, { maxLength: 60 }),
      (capacityFrames, steps) => {
        const ring = createFrameRing({ frameSamples: 2, capacityFrames })
        let queue: number[] = []
        let cleared = 0
        let written = 0
        const act = {
          write() {
            const hasRoom = queue.length + cleared < capacityFrames
            expect(writeFrame(ring, frame(written + 1))).toBe(hasRoom)
            if (hasRoom) queue.push((written += 1))
          },
          play() {
            cleared = 0
            const expected = queue.shift()
            playFrame(ring, (heard) => expect(heard).toEqual(expected === undefined ? null : frame(expected)))
          },
          pass() {
            cleared = 0
            passFrame(ring)
          },
          clear() {
            clearFrames(ring)
            cleared += queue.length
            queue = []
          },
          skip() {
            skipClearedFrames(ring)
            cleared = 0
          },
        }
        for (const name of steps) act[name]()
        expect(playedFrames(ring)).toBe(written - queue.length - cleared)
        expect(heardFrames(ring)).toBe(steps.filter((name) => name === 'play' || name === 'pass').length)
      },
    ),
  )
})

describe('the writer wakes', () => {
  /** Returns whether a wait is over, once all that was told has arrived. */
  async function isOver(wait: Promise<void>): Promise<boolean> {
    let over = false
    void wait.then(() => (over = true))
    await new Promise((resolve) => setTimeout(resolve))
    return over
  }
  const play = (ring: FrameRing, frames: number) => {
    for (let count = 0; count < frames; count++) playFrame(ring, () => {})
  }
  const fill = (capacityFrames: number) => {
    const ring = createFrameRing({ frameSamples: 2, capacityFrames })
    while (writeFrame(ring, frame(1)));
    return ring
  }

  test('when the frame that it waits for is played, and not before', async () => {
    const ring = fill(4)
    const wait = framesPlayed(ring, 3)
    play(ring, 2)
    expect(await isOver(wait)).toBe(false)
    play(ring, 1)
    await wait
    await framesPlayed(ring, 3)
  })

  test('when there is room for what it has, or for a good part of it', async () => {
    const ring = fill(100)
    const few = roomFor(ring, 2)
    play(ring, 1)
    expect(await isOver(few)).toBe(false)
    play(ring, 1)
    await few
    writeFrame(ring, frame(1))
    writeFrame(ring, frame(1))
    const many = roomFor(ring, 1000)
    play(ring, 24)
    expect(await isOver(many)).toBe(false)
    play(ring, 1)
    await many
  })

  test('for the first of several waits, each of which looks again', async () => {
    const ring = fill(9)
    const [late, early] = [framesPlayed(ring, 7), framesPlayed(ring, 2)]
    play(ring, 2)
    await Promise.all([late, early])
    const again = framesPlayed(ring, 7)
    play(ring, 4)
    expect(await isOver(again)).toBe(false)
    play(ring, 1)
    await again
  })

  test('on a clear that is taken, and on wakeWriter', async () => {
    const ring = fill(4)
    const cleared = framesPlayed(ring, 4)
    clearFrames(ring)
    skipClearedFrames(ring)
    await cleared
    const woken = framesPlayed(ring, 9)
    wakeWriter(ring)
    await woken
  })

  test('whatever both threads do: no wait is forgotten', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ plays: fc.nat(6), waitsFor: fc.nat(12) }), { maxLength: 20 }),
        async (steps) => {
          const ring = createFrameRing({ frameSamples: 2, capacityFrames: 50 })
          const waits: { position: number; over: boolean }[] = []
          for (const { plays, waitsFor } of steps) {
            const wait = { position: playedFrames(ring) + waitsFor, over: false }
            waits.push(wait)
            void (async () => {
              while (playedFrames(ring) < wait.position) await framesPlayed(ring, wait.position)
              wait.over = true
            })()
            for (let count = 0; count < plays; count++) writeFrame(ring, frame(1))
            play(ring, plays)
            await new Promise((resolve) => setTimeout(resolve))
            for (const { position, over } of waits) expect(over).toBe(playedFrames(ring) >= position)
          }
          wakeWriter(ring)
        },
      ),
      { numRuns: 30 },
    )
  })
})
