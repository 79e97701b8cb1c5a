import type { Point } from '../src/faces/face-api/face-chip.ts'
import type { Look } from '../src/liveness/head-motion/flatten-faces.ts'
import { applyWarp, type Warp } from '../src/liveness/head-motion/warp.ts'

/** A point of a head: to the right, down, and towards the camera, from -1 to 1. */
export interface SolidPoint extends Point {
  readonly z: number
}

/** How a head or a picture of one is before the camera; angles are in radians. */
export interface Pose {
  readonly yaw?: number
  readonly pitch?: number
}

const between = (count: number, at: (share: number) => SolidPoint): SolidPoint[] =>
  Array.from({ length: count }, (_, index) => at(index / Math.max(1, count - 1)))
/** Depth of an egg-shaped head. */
const solid = (x: number, y: number, above = 0): SolidPoint => ({
  x,
  y,
  z: 0.7 * Math.sqrt(Math.max(0, 1 - (x / 0.75) ** 2 - (y / 1.1) ** 2)) + above,
})
const ring = (middle: Point, width: number, height: number, count: number): SolidPoint[] =>
  Array.from({ length: count }, (_, index) => {
    const angle = Math.PI + (2 * Math.PI * index) / count
    return solid(middle.x + width * Math.cos(angle), middle.y + height * Math.sin(angle))
  })

/** Returns the 68 landmarks of a head, in the order of iBUG. @param open half the distance of the lips */
export function drawHead(open: number): readonly SolidPoint[] {
  return [
    ...between(17, (at) => solid(-0.7 * Math.cos(Math.PI * at), 0.15 + 0.6 * Math.sin(Math.PI * at))),
    ...between(5, (at) => solid(-0.5 + 0.38 * at, -0.35 - 0.06 * Math.sin(Math.PI * at))),
    ...between(5, (at) => solid(0.12 + 0.38 * at, -0.35 - 0.06 * Math.sin(Math.PI * at))),
    ...between(4, (at) => solid(0, -0.22 + 0.34 * at, 0.22 * at)),
    ...between(5, (at) => solid(-0.12 + 0.24 * at, 0.2, 0.12)),
    ...ring({ x: -0.3, y: -0.2 }, 0.1, 0.04, 6),
    ...ring({ x: 0.3, y: -0.2 }, 0.1, 0.04, 6),
    ...ring({ x: 0, y: 0.42 }, 0.24, 0.07 + open, 12),
    ...ring({ x: 0, y: 0.42 }, 0.16, 0.005 + open, 8),
  ]
}

export const flat = (head: readonly SolidPoint[]): SolidPoint[] => head.map(({ x, y }) => ({ x, y, z: 0 }))
/** Bends a picture about an upright axis. */
export const bent = (head: readonly SolidPoint[], angle: number): SolidPoint[] =>
  head.map(({ x, y }) => ({ x: Math.sin(angle * x) / angle, y, z: (Math.cos(angle * x) - 1) / angle }))

/** Projects points to a pinhole camera at six times the half width of a face. */
export function project(points: readonly SolidPoint[], { yaw = 0, pitch = 0 }: Pose): Point[] {
  return points.map(({ x, y, z }) => {
    const [x1, z1] = [Math.cos(yaw) * x + Math.sin(yaw) * z, Math.cos(yaw) * z - Math.sin(yaw) * x]
    const [y1, z2] = [Math.cos(pitch) * y - Math.sin(pitch) * z1, Math.cos(pitch) * z1 + Math.sin(pitch) * y]
    return { x: (6 * x1) / (6 - z2), y: (6 * y1) / (6 - z2) }
  })
}

/** Looks at computed landmarks as a network does at a face, with noise and three answers. */
export function lookAt(landmarks: readonly Point[], noise: number, random: () => number): Look {
  return async (warp, answers) =>
    Array.from({ length: answers === 'all' ? 3 : 1 }, () =>
      landmarks.map((landmark) => {
        const { x, y } = invertWarp(warp, landmark)
        return { x: x + noise * (2 * random() - 1), y: y + noise * (2 * random() - 1) }
      }),
    )
}

function invertWarp(warp: Warp, target: Point): Point {
  let found = target
  for (let step = 0; step < 60; step++) {
    const { x, y } = applyWarp(warp, found)
    found = { x: found.x + 0.7 * (target.x - x), y: found.y + 0.7 * (target.y - y) }
  }
  return found
}
