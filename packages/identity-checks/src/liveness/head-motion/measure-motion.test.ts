import { expect, test } from 'vitest'
import { createRandom } from '../../../scripts/random.ts'
import {
  bent,
  drawHead,
  flat,
  lookAt,
  type Pose,
  project,
  type SolidPoint,
} from '../../../test/computed-head.ts'
import { flattenFaces } from './flatten-faces.ts'
import { judgeMotion, THRESHOLDS } from './judge-motion.ts'
import { type HeadMotion, measureMotion } from './measure-motion.ts'

const NOISE = 0.004
const TURNS: readonly Pose[] = [0, 0.5, 0.6, 0.1, -0.4, -0.6, -0.2, 0.3, 0.5, 0].map((yaw, index) => ({
  yaw,
  pitch: 0.3 * Math.sin(index),
}))
const OPENINGS = [0, 0.09, 0.02, 0.12, 0.03, 0.1, 0, 0.08, 0.12, 0.01]

async function measure(
  pointsAt: (frame: number) => readonly SolidPoint[],
  poses = TURNS,
): Promise<HeadMotion> {
  const random = createRandom(7)
  const looks = poses.map((pose, frame) => lookAt(project(pointsAt(frame), pose), NOISE, random))
  return measureMotion(await flattenFaces(looks))
}
const still = TURNS.map(() => ({}))

test('a turned picture keeps its lips once it is flattened, whether they are closed or open', async () => {
  for (const open of [0, 0.1]) {
    const motion = await measure(() => flat(drawHead(open)))
    expect(motion.turning).toBeGreaterThan(0.04)
    expect(judgeMotion(motion)).toBeLessThan(THRESHOLDS.passed)
  }
})

test('a bent picture keeps them as well, if its bend changes', async () => {
  const motion = await measure((frame) => bent(flat(drawHead(0.05)), 0.3 + 0.08 * frame))
  expect(judgeMotion(motion)).toBeLessThan(THRESHOLDS.passed)
})

test('a head that talks passes, still or turned', async () => {
  // Less than pictures: a head that is turned by more hides one of its eyes.
  const turned = TURNS.map(({ yaw = 0, pitch = 0 }) => ({ yaw: yaw / 2, pitch: pitch / 2 }))
  for (const poses of [turned, still]) {
    const motion = await measure((frame) => drawHead(OPENINGS[frame] ?? 0), poses)
    expect(judgeMotion(motion)).toBeGreaterThanOrEqual(THRESHOLDS.passed)
  }
})

test('a head or a picture that hardly moves is not judged', async () => {
  expect(judgeMotion(await measure(() => drawHead(0), still))).toBeNull()
  expect(judgeMotion(await measure(() => flat(drawHead(0.1)), still))).toBeNull()
})

test('cuts between two faces are not motion', async () => {
  const motion = await measure((frame) => drawHead(frame >= 3 && frame < 7 ? 0.12 : 0), still)
  expect(judgeMotion(motion)).toBeNull()
})

test('no frames have no faces', async () => {
  expect(await flattenFaces([])).toEqual([])
})
