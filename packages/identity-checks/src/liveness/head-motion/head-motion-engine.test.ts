import { thorough } from '@vaani/test-services/thorough'
import { beforeAll, expect, test } from 'vitest'
import { renderPrint } from '../../../bench/sets/flat-prints.ts'
import { ANNA, drawPicture } from '../../../scripts/draw-face.ts'
import { runLivenessEngineConformance } from '../../conformance/liveness-engine.ts'
import { resizePicture, type RgbPicture } from '../../image/rgb-picture.ts'
import type { Frame } from '../../video/frame.ts'
import { loadEngines } from '../../load-engines.ts'
import { createHeadMotionEngine } from './head-motion-engine.ts'

const SIZE = { width: 640, height: 640 }
const toFrames = (pictures: readonly RgbPicture[]): Frame[] =>
  pictures.map((picture, index) => ({ picture, timeMs: index * 500 }))
const drawAnna = async (open: number) => resizePicture(await drawPicture({ ...ANNA, open }), SIZE)

/** A drawn person who talks, and a print of the person, turned before a camera. */
let talking: Frame[]
let turned: Frame[]
beforeAll(async () => {
  talking = toFrames(await Promise.all([0, 22, 6, 26, 0, 18].map(drawAnna)))
  if (isThorough)
    turned = toFrames([...renderPrint(await drawAnna(0), 'turned sideways', 1)].slice(0, talking.length))
})

const isThorough = thorough({ usual: false, long: true })
if (isThorough)
  runLivenessEngineConformance({
    name: 'head-motion',
    createEngine: createHeadMotionEngine,
    live: async () => talking,
    notLive: async () => turned,
  })

test('a person who talks passes', async () => {
  await using engine = await createHeadMotionEngine()
  const { score, thresholds } = await engine.judge(talking)
  expect(score).toBeGreaterThanOrEqual(thresholds.passed)
})

test('too few faces have no score', async () => {
  await using engine = await createHeadMotionEngine()
  expect((await engine.judge(talking.slice(0, 4))).score).toBeNull()
})

// Usually `measure-motion.test.ts` judges the landmarks of one.
test.runIf(isThorough)('a still has no score', async () => {
  await using engine = await createHeadMotionEngine()
  const still = await drawAnna(0)
  expect((await engine.judge(toFrames(Array.from({ length: 6 }, () => still)))).score).toBeNull()
})

test('a setting names it, for liveness only', async () => {
  const { face, liveness } = await loadEngines({ liveness: 'head-motion' })
  expect(face).toBeNull()
  expect((await liveness?.judge([]))?.model).toMatch(/^head-motion\/1\+/)
  await expect(loadEngines({ face: 'head-motion' })).rejects.toThrow('not an engine of faces')
})
