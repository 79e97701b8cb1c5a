import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findStrips, type TextMap } from './find-strips.ts'
import { smallestRectangle } from './text-strip.ts'

/** Draws a bar of a size, turned clockwise about the middle of a map. */
function drawBar({ length, height, degrees }: { length: number; height: number; degrees: number }): TextMap {
  const side = 200
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const data = Float32Array.from({ length: side * side }, (_, pixel) => {
    const [x, y] = [(pixel % side) + 0.5 - side / 2, Math.floor(pixel / side) + 0.5 - side / 2]
    const isWithin = Math.abs(x * cos + y * sin) <= length / 2 && Math.abs(y * cos - x * sin) <= height / 2
    return isWithin ? 0.9 : 0
  })
  return { data, width: side, height: side }
}

test.each([0, 7, -12, 40, 90])('finds a line that runs at %s degrees, with its rim', (degrees) => {
  const [strip, ...others] = findStrips(drawBar({ length: 120, height: 12, degrees }))
  expect(others).toEqual([])
  expect(strip?.center.x).toBeCloseTo(100, -1)
  expect(strip?.center.y).toBeCloseTo(100, -1)
  expect(strip?.length).toBeGreaterThan(130)
  expect(strip?.length).toBeLessThan(145)
  expect(((strip?.angle ?? 0) * 180) / Math.PI).toBeCloseTo(degrees, -0.5)
})

test('finds each of several lines, and neither specks nor faint ones', () => {
  const map = drawBar({ length: 120, height: 12, degrees: 0 })
  const { data, width } = map
  for (let x = 40; x < 160; x++)
    for (let y = 30; y < 42; y++) {
      data[y * width + x] = 0.8
      data[(y + 120) * width + x] = 0.4
    }
  data[10 * width + 10] = 1
  expect(findStrips(map)).toHaveLength(2)
  expect(findStrips({ ...map, data: new Float32Array(data.length) })).toEqual([])
})

test('the smallest rectangle has all points within', () => {
  const point = fc.record({ x: fc.integer({ min: 0, max: 99 }), y: fc.integer({ min: 0, max: 99 }) })
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
      const { center, length, height, angle } = smallestRectangle(points)
      expect(length).toBeGreaterThanOrEqual(height)
      for (const { x, y } of points) {
        const [right, down] = [x - center.x, y - center.y]
        expect(Math.abs(right * Math.cos(angle) + down * Math.sin(angle))).toBeLessThan(length / 2 + 1e-6)
        expect(Math.abs(down * Math.cos(angle) - right * Math.sin(angle))).toBeLessThan(height / 2 + 1e-6)
      }
    }),
  )
})
