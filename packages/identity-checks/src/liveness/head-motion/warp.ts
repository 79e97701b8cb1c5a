import { Matrix, solve } from 'ml-matrix'
import type { Point } from '../../faces/face-api/face-chip.ts'

/** Coefficients of 1, x, y, x², xy and y². */
type Polynomial = readonly [number, number, number, number, number, number]

/** A map of the plane by polynomials of the second degree. */
export interface Warp {
  readonly x: Polynomial
  readonly y: Polynomial
}

export const IDENTITY: Warp = { x: [0, 1, 0, 0, 0, 0], y: [0, 0, 1, 0, 0, 0] }

/** Returns the warp that takes points to others with the least squares of distances. Needs six points or more. */
export function fitWarp(from: readonly Point[], to: readonly Point[]): Warp {
  const terms = new Matrix(from.map(({ x, y }) => [1, x, y, x * x, x * y, y * y]))
  const solved = solve(terms, new Matrix(to.map(({ x, y }) => [x, y])), true)
  const column = (index: number): Polynomial => [
    solved.get(0, index),
    solved.get(1, index),
    solved.get(2, index),
    solved.get(3, index),
    solved.get(4, index),
    solved.get(5, index),
  ]
  return { x: column(0), y: column(1) }
}

export const applyWarp = (warp: Warp, { x, y }: Point): Point => ({
  x: evaluate(warp.x, x, y),
  y: evaluate(warp.y, x, y),
})

const evaluate = ([one, x1, y1, xx, xy, yy]: Polynomial, x: number, y: number): number =>
  one + x * (x1 + xx * x + xy * y) + y * (y1 + yy * y)
