/**
 * Tests the engines that operators add. Their packages take 290 MB and are not dependencies of this repository, so the tests
 * run only if `VAANI_TEST_ENGINES` names a directory that has them, as in CI.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runFaceEngineConformance } from './conformance/face-engine.ts'
import { runLivenessEngineConformance } from './conformance/liveness-engine.ts'
import { EngineError } from './engine/engine-error.ts'
import { createOnnxFaceEngine } from './faces/onnx-face-engine.ts'
import { createOnnxLivenessEngine } from './liveness/onnx-liveness-engine.ts'
import { createCheckRunner } from './runner/check-runner.ts'
import { COLOUR_FACES, COLOUR_FILMS } from '../test/colour-pictures.ts'
import { tinyOnnx } from '../test/tiny-onnx.ts'

const directory = process.env['VAANI_TEST_ENGINES']
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const write = async (name: string, content: string | Uint8Array): Promise<string> => {
  const file = path.join(folder, name)
  await writeFile(file, content)
  return file
}
/** Makes a model that outputs the mean of each colour, from 0 to 1, which serves as a "score" and as an "embedding". */
const meanOfColours = (name: string) =>
  tinyOnnx({
    width: 16,
    height: 16,
    nodes: [
      { operator: 'GlobalAveragePool', inputs: ['picture'], output: 'means' },
      { operator: 'Flatten', inputs: ['means'], output: name },
    ],
    outputs: [{ name, dims: [1, 3] }],
  })

/** Makes a model that detects red brighter than grey in the left and right halves, with two overlapping boxes on the left. */
const brightHalves = () =>
  tinyOnnx({
    width: 2,
    height: 1,
    nodes: [
      { operator: 'Flatten', inputs: ['picture'], output: 'flat' },
      { operator: 'MatMul', inputs: ['flat', 'pick'], output: 'scores' },
      { operator: 'Identity', inputs: ['corners'], output: 'boxes' },
    ],
    constants: [
      // The first two inputs are the red of the left and of the right pixel.
      { name: 'pick', dims: [6, 3], values: [1, 0.9, 0, 0, 0, 1, ...Array.from({ length: 12 }, () => 0)] },
      { name: 'corners', dims: [3, 4], values: [0, 0, 0.5, 1, 0.05, 0, 0.5, 1, 0.55, 0.1, 1, 0.9] },
    ],
    outputs: [
      { name: 'scores', dims: [1, 3] },
      { name: 'boxes', dims: [3, 4] },
    ],
  })

const livenessManifest = {
  name: 'tiny-liveness',
  version: '1',
  model: { file: 'liveness.onnx', width: 16, height: 16, scale: 255, index: 1 },
  thresholds: { passed: 0.7, warning: 0.4 },
}
const faceManifest = {
  name: 'tiny-faces',
  version: '1',
  detector: {
    file: 'halves.onnx',
    width: 2,
    height: 1,
    scores: 'scores',
    boxes: 'boxes',
    minConfidence: 0.6,
  },
  embedder: { file: 'means.onnx', width: 16, height: 16, mean: 100, scale: 100, margin: 0 },
  match: { passed: 0.9, warning: 0.6 },
}
describe('with the packages of engines', { tags: 'engines' }, () => {
  runFaceEngineConformance({
    name: 'ONNX models, tiny ones',
    async createEngine() {
      await write('halves.onnx', brightHalves())
      await write('means.onnx', meanOfColours('means3'))
      return createOnnxFaceEngine({
        manifest: await write('faces.json', JSON.stringify(faceManifest)),
        directory,
      })
    },
    pictures: COLOUR_FACES,
  })

  runLivenessEngineConformance({
    name: 'an ONNX model, a tiny one',
    async createEngine() {
      await write('liveness.onnx', meanOfColours('score'))
      const manifest = await write('liveness.json', JSON.stringify(livenessManifest))
      return createOnnxLivenessEngine({ manifest, directory })
    },
    ...COLOUR_FILMS,
  })

  test('prepare reports unreadable weights', async () => {
    await write('liveness.onnx', 'not a model')
    const liveness = await write('liveness.json', JSON.stringify(livenessManifest))
    await using runner = createCheckRunner({ places: 2, engines: { liveness, directory } })
    await expect(runner.prepare()).rejects.toMatchObject({
      code: 'engine',
      message: 'The weights liveness.onnx cannot be read',
    })
  })
})

test('reports missing packages by name', async () => {
  const liveness = await write('liveness.json', JSON.stringify(livenessManifest))
  await using runner = createCheckRunner({ places: 2, engines: { liveness, directory: folder } })
  await expect(runner.prepare()).rejects.toMatchObject({
    code: 'engine',
    message: 'The engine needs the package onnxruntime-node, which is not installed',
  })
  await using plainRunner = createCheckRunner({ places: 2 })
  await expect(plainRunner.prepare()).resolves.toBeUndefined()
})

test.each([
  ['{', 'is not valid JSON'],
  ['{}', 'name'],
  [JSON.stringify({ ...livenessManifest, thresholds: { passed: 0.2, warning: 0.4 } }), 'must not be below'],
  [JSON.stringify({ ...livenessManifest, model: { ...livenessManifest.model, width: 0 } }), 'model.width'],
  [JSON.stringify({ ...livenessManifest, extra: 1 }), 'extra'],
])('refuses the manifest %s and names the problem', async (text, problem) => {
  const creating = createOnnxLivenessEngine({ manifest: await write('wrong.json', text), directory })
  await expect(creating).rejects.toThrow(EngineError)
  await expect(creating).rejects.toThrow(problem)
})
