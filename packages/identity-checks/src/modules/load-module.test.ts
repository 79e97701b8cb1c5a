import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadEngines } from '../load-engines.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-modules-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let count = 0
/** Writes a module of its own name, because a process loads each name once. */
async function write(text: string, extension = 'mjs'): Promise<string> {
  const file = path.join(folder, `adapter-${++count}.${extension}`)
  await writeFile(file, text)
  return file
}

const JUDGEMENT = `{ model: 'mine/1', score: null, thresholds: { passed: 0.9, warning: 0.6 } }`

test.each([
  ['mjs', `export default () => ({ judge: async () => (${JUDGEMENT}) })`],
  ['mjs', `export async function createEngine() { return { judge: () => (${JUDGEMENT}) } }`],
  ['cjs', `exports.createEngine = () => ({ judge: async () => (${JUDGEMENT}) })`],
  [
    'ts',
    `const model: string = 'mine/1'; export default () => ({ judge: async () => ({ ...${JUDGEMENT}, model }) })`,
  ],
])('loads .%s: %s', async (extension, text) => {
  const { liveness } = await loadEngines({ liveness: await write(text, extension) })
  expect(await liveness?.judge([])).toMatchObject({ model: 'mine/1' })
})

test.each([
  ['export const judge = 1', 'exports no function as default or createEngine'],
  ['export default () => ({})', 'created an engine without the method judge'],
  ['export default () => undefined', 'created an engine without the method judge'],
  [
    'export default () => { throw new Error("No weights in /models") }',
    'could not create its engine: No weights in /models',
  ],
  ['import "not-installed-anywhere"', 'could not be loaded: Cannot find package'],
  ['export default (', 'could not be loaded: '],
  ['export default () => ({ judge: async () => 0.5 })', 'expected object'],
  [
    `export default () => ({ judge: () => ({ ...${JUDGEMENT}, model: 'mine' }) })`,
    'model: must be like name/version',
  ],
  [`export default () => ({ judge: (frames) => frames[0].picture })`, 'failed when asked about no pictures'],
])('refuses the module %s and names the problem', async (text, problem) => {
  const file = await write(text)
  const loading = loadEngines({ liveness: file })
  await expect(loading).rejects.toMatchObject({ name: 'EngineError', code: 'module_unusable' })
  await expect(loading).rejects.toThrow(`The module ${path.basename(file)} `)
  await expect(loading).rejects.toThrow(problem)
})

test('a module for faces must also compare them', async () => {
  const face = await write('export default () => ({ detect: async () => ({}) })')
  await expect(loadEngines({ face })).rejects.toThrow('without the method similarity')
})
