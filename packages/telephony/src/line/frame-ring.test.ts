import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clearFrames,
  createFrameRing,
  heardFrames,
  passFrame,
  playedFrames,
  playedFramesChange,
  playFrame,
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

test('the writer wakes when a frame is played, was played already, or on wakeWriter', async () => {
  const ring = createFrameRing({ frameSamples: 2, capacityFrames: 1 })
  writeFrame(ring, frame(1))
  const change = playedFramesChange(ring, 0)
  playFrame(ring, () => {})
  await change
  await playedFramesChange(ring, 0)
  const woken = playedFramesChange(ring, 1)
  wakeWriter(ring)
  await woken
})
