import { expect, test } from 'vitest'
import { longestTake, type Placed } from './longest-take.ts'

const face = (timeMs: number, x = 300, size = 200): Placed => ({ x, y: 300, size, timeMs })

test('a face that moves and comes nearer is one take', () => {
  const faces = [face(0), face(500, 340), face(1000, 380, 240)]
  expect(longestTake(faces)).toEqual(faces)
})

test('a jump, a cut to a close-up and a missing face end a take', () => {
  const before = [face(0), face(500)]
  const after = [face(1000, 420), face(1500, 420), face(2000, 420)]
  expect(longestTake([...before, ...after])).toEqual(after)
  expect(longestTake([...before, face(1000, 300, 320)])).toEqual(before)
  expect(longestTake([...before, face(2000)])).toEqual(before)
  expect(longestTake([])).toEqual([])
})
