import { describe, expect, test } from 'vitest'
import { lookAt, moveBy, PLAIN, turn, turningOf, viewBoxOf, zoomAt, zoomBy } from './view.ts'

const SIZE = { width: 400, height: 200 }
const boxOf = (view: typeof PLAIN): number[] => viewBoxOf(SIZE, view).split(' ').map(Number)

describe('the view of a picture', () => {
  test('shows all of it at first, and its middle when enlarged', () => {
    expect(boxOf(PLAIN)).toEqual([0, 0, 400, 200])
    expect(boxOf(zoomBy(PLAIN, 2))).toEqual([100, 50, 200, 100])
  })

  test('moves by what is seen, and never past the edge', () => {
    const enlarged = zoomBy(PLAIN, 4)
    expect(boxOf(moveBy(enlarged, { x: 1, y: 0 }))).toEqual([250, 75, 100, 50])
    expect(boxOf(moveBy(enlarged, { x: 9, y: -9 }))).toEqual([300, 0, 100, 50])
    expect(moveBy(PLAIN, { x: 1, y: 1 })).toEqual(PLAIN)
    expect(zoomBy(moveBy(enlarged, { x: 9, y: 9 }), 1 / 4)).toEqual(PLAIN)
  })

  test('keeps a point where it is seen while the picture is enlarged about it', () => {
    const shareOf = (view: typeof PLAIN) => {
      const [left = NaN, top = NaN, width = NaN, height = NaN] = boxOf(view)
      return [(100 - left) / width, (150 - top) / height]
    }
    const point = { x: 100 / SIZE.width, y: 150 / SIZE.height }
    expect(shareOf(zoomAt(PLAIN, 2, point))).toEqual(shareOf(PLAIN))
    expect(zoomAt(zoomAt(PLAIN, 4, point), 1 / 4, point)).toEqual(PLAIN)
  })

  test('keeps its middle when the picture is turned, four times back to where it was', () => {
    const corner = moveBy(zoomBy(PLAIN, 4), { x: -9, y: -9 })
    // The top left is at the top right after a quarter turn.
    expect(boxOf(turn(corner))).toEqual([150, 0, 50, 100])
    expect(turn(turn(turn(turn(corner))))).toEqual(corner)
  })

  test.each([
    [0, [10, 20]],
    [1, [180, 10]],
    [2, [390, 180]],
    [3, [20, 390]],
  ])('a picture after %i quarter turns begins at the origin', (quarterTurns, expected) => {
    const found = /translate\((\S+) (\S+)\) rotate\((\S+)\)/.exec(turningOf(SIZE, quarterTurns))
    const [right = NaN, down = NaN, degrees = NaN] = found?.slice(1).map(Number) ?? []
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    const turned = [right + 10 * cos - 20 * sin, down + 10 * sin + 20 * cos]
    expect(turned.map(Math.round)).toEqual(expected)
  })

  test('looks at a place wherever the picture is turned', () => {
    const corners = [
      { x: 300, y: 20 },
      { x: 340, y: 20 },
      { x: 340, y: 40 },
      { x: 300, y: 40 },
    ]
    const near = (value: number): unknown => expect.closeTo(value)
    expect(lookAt(PLAIN, SIZE, corners)).toMatchObject({ zoom: 4, x: near(0.8), y: near(0.15) })
    expect(lookAt(turn(PLAIN), SIZE, corners)).toMatchObject({ zoom: 4, x: near(0.85), y: near(0.8) })
  })
})
