import { expect, test } from 'vitest'
import { CHIP_SIDE, cutFaceChip, type Point } from './face-chip.ts'

/** Red grows to the right and green downwards. */
const SIDE = 200
const gradient = {
  data: Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3)
    return at % 3 === 0 ? pixel % SIDE : at % 3 === 1 ? Math.floor(pixel / SIDE) : 0
  }),
  width: SIDE,
  height: SIDE,
}
/** Landmarks of a chip itself: those of the mean face, where dlib puts them in 150 pixels. */
const EYES_AND_NOSE = new Map<number, Point>([
  [36, { x: 37.17, y: 46.64 }],
  [39, { x: 58.46, y: 48.17 }],
  [42, { x: 89.56, y: 48.17 }],
  [45, { x: 110.85, y: 46.64 }],
  [33, { x: 74.01, y: 87.81 }],
])
/** Places the landmarks in the picture by a turn, a scale and a shift. */
function landmarks(degrees: number, scale: number, left: number, top: number): Point[] {
  const all: Point[] = []
  const [cos, sin] = [
    scale * Math.cos((degrees * Math.PI) / 180),
    scale * Math.sin((degrees * Math.PI) / 180),
  ]
  for (const [index, { x, y }] of EYES_AND_NOSE)
    all[index] = { x: cos * x - sin * y + left, y: sin * x + cos * y + top }
  return all
}
const pixel = ({ data }: { data: Uint8Array }, x: number, y: number) => [
  data[(y * CHIP_SIDE + x) * 3],
  data[(y * CHIP_SIDE + x) * 3 + 1],
]

test.each([
  ['moved', 0, 1, 20, 30, (x: number, y: number) => [x + 20, y + 30]],
  ['half as large', 0, 0.5, 20, 30, (x: number, y: number) => [x / 2 + 20, y / 2 + 30]],
  ['turned by a quarter', 90, 1, 170, 10, (x: number, y: number) => [170 - y, x + 10]],
])('a face that is %s comes to the same place', (_, degrees, scale, left, top, expected) => {
  const chip = cutFaceChip(gradient, landmarks(degrees, scale, left, top))
  for (const [x, y] of [
    [40, 40],
    [75, 75],
    [110, 60],
  ] as const) {
    const [red, green] = pixel(chip, x, y)
    const [wantedX, wantedY] = expected(x, y)
    expect(red).toBeCloseTo(wantedX ?? 0, -0.4)
    expect(green).toBeCloseTo(wantedY ?? 0, -0.4)
  }
})

test('what lies beyond the picture repeats its edge', () => {
  const chip = cutFaceChip(gradient, landmarks(0, 1, -100, 150))
  expect(pixel(chip, 0, CHIP_SIDE - 1)).toEqual([0, SIDE - 1])
})
