import { expect, test } from 'vitest'
import { applyWarp, fitWarp, IDENTITY, type Warp } from './warp.ts'

const points = [-1, -0.3, 0.4, 1].flatMap((x) => [-1, -0.2, 0.5, 1].map((y) => ({ x, y })))

test('a fitted warp is the one that moved the points', () => {
  const warp: Warp = { x: [0.1, 0.9, 0.05, -0.1, 0.02, 0.03], y: [-0.2, 0.1, 1.1, 0.04, -0.05, 0.06] }
  const fitted = fitWarp(
    points,
    points.map((point) => applyWarp(warp, point)),
  )
  for (const axis of ['x', 'y'] as const)
    for (const [index, coefficient] of warp[axis].entries())
      expect(fitted[axis][index]).toBeCloseTo(coefficient, 9)
})

test('the identity moves nothing', () => {
  for (const point of points) expect(applyWarp(IDENTITY, point)).toEqual(point)
})
