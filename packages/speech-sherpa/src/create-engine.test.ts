import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NEUTRAL, type SpeechEngine, type SynthesisOptions, type SynthesisRequest } from '@vaani/speech'
import { runEngineConformance } from '@vaani/speech/conformance'
import { afterEach, expect, test, vi } from 'vitest'
import { toyModel, toyTokens } from '../scripts/toy-model.ts'
import { createEngine } from './create-engine.ts'
import type { SherpaEngineOptions } from './options.ts'
import { children } from './test/children.ts'
import { TOY, TOY_FILES, TOY_FOLDER } from './test/toy.ts'

runEngineConformance({
  name: 'sherpa-onnx with the toy model',
  createEngine: () => createEngine(TOY),
  sample: { text: 'Good morning, this is a reminder. It is short.', language: 'en-US' },
})

const opened: SpeechEngine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})
async function open(options: Partial<SherpaEngineOptions> = {}): Promise<SpeechEngine> {
  const engine = await createEngine({ ...TOY, ...options })
  opened.push(engine)
  return engine
}
const REQUEST: SynthesisRequest = {
  text: 'Hello there.',
  voice: 'nova',
  language: 'en-US',
  prosody: { ...NEUTRAL, energy: 1 },
}
const LONG = Array.from({ length: 40 }, () => 'This is a sentence of some length.').join(' ')

async function say(
  engine: SpeechEngine,
  request: Partial<SynthesisRequest> = {},
  options?: SynthesisOptions,
) {
  const chunks = await Array.fromAsync(engine.synthesize({ ...REQUEST, ...request }, options))
  return Int16Array.from(chunks.flatMap((chunk) => [...chunk]))
}

/** Runs with the toy model in which every run fails inside the runtime. */
async function withBrokenModel(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-toy-'))
  try {
    await writeFile(path.join(folder, 'toy.onnx'), toyModel({ isBroken: true }))
    await writeFile(path.join(folder, 'tokens.txt'), toyTokens())
    await run(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the toy model is what its script makes', async () => {
  expect(await readFile(path.join(TOY_FOLDER, 'toy.onnx'))).toEqual(Buffer.from(toyModel()))
  expect(await readFile(path.join(TOY_FOLDER, 'tokens.txt'), 'utf8')).toBe(toyTokens())
})

test('a process that is killed fails its segment and is replaced', async () => {
  const engine = await open()
  const child = children.at(-1)
  const speech = engine.synthesize({ ...REQUEST, text: LONG })[Symbol.asyncIterator]()
  await speech.next()
  child?.kill('SIGKILL')
  const rest = async () => {
    while ((await speech.next()).done !== true);
  }
  await expect(rest()).rejects.toMatchObject({ name: 'SpeechError', code: 'engine_failed' })
  expect((await say(engine)).length).toBeGreaterThan(0)
  expect(children.at(-1)?.pid).not.toBe(child?.pid)
})

test('an idle process that is killed is replaced by the next request', async () => {
  const engine = await open()
  const child = children.at(-1)
  child?.kill('SIGKILL')
  await once(child!, 'close')
  expect((await say(engine)).length).toBeGreaterThan(0)
})

test('a model that breaks the runtime fails its segment, and not the process of the server', async () => {
  await withBrokenModel(async (filesFrom) => {
    const engine = await open({ filesFrom, stallMs: 3000 })
    for (let round = 0; round < 2; round++)
      await expect(say(engine)).rejects.toMatchObject({ name: 'SpeechError', code: 'engine_failed' })
  })
})

test('an abort ends the speech at once, and the process serves the next request', async () => {
  const engine = await open()
  const gone = new AbortController()
  const speaking = engine.synthesize({ ...REQUEST, text: LONG }, { signal: gone.signal })
  const speech = speaking[Symbol.asyncIterator]()
  await speech.next()
  gone.abort()
  await expect(speech.next()).rejects.toMatchObject({ code: 'aborted' })
  const started = children.length
  expect((await say(engine)).length).toBeGreaterThan(0)
  expect(children.length).toBe(started)
})

test('a file that is no model is reported with what the library printed', async () => {
  const files = { vits: { model: 'tokens.txt', tokens: 'tokens.txt' } }
  await expect(
    open({ models: [{ files, languages: ['en-US'], voices: { nova: 0 } }] }),
  ).rejects.toMatchObject({
    code: 'engine_failed',
    message: expect.stringMatching(/^The model cannot be loaded: .*protobuf/is),
  })
})

test.each<[string, Partial<SherpaEngineOptions>]>([
  ['models', { models: [] }],
  ['stallMs', { stallMs: 0 }],
  ['loadMs', { loadMs: Number.NaN }],
  ['models.0.files.vits.model', { filesFrom: tmpdir() }],
  [
    'models.0.files',
    {
      models: [
        {
          files: { ...TOY_FILES, kitten: {} } as typeof TOY_FILES,
          languages: ['en-US'],
          voices: { nova: 0 },
        },
      ],
    },
  ],
  ['models.0.languages', { models: [{ files: TOY_FILES, languages: [], voices: { nova: 0 } }] }],
  [
    'models.0.languages.0.tag',
    { models: [{ files: TOY_FILES, languages: ['English!'], voices: { nova: 0 } }] },
  ],
  ['models.0.voices', { models: [{ files: TOY_FILES, languages: ['en-US'], voices: {} }] }],
  ['models.0.voices.nova', { models: [{ files: TOY_FILES, languages: ['en-US'], voices: { nova: -1 } }] }],
  [
    'models.0.voices.atlas',
    { models: [{ files: TOY_FILES, languages: ['en-US'], voices: { nova: 0, atlas: 2 } }] },
  ],
  [
    'models.0.processes',
    { models: [{ files: TOY_FILES, languages: ['en-US'], voices: { nova: 0 }, processes: 0 }] },
  ],
  [
    'models.0.threads',
    { models: [{ files: TOY_FILES, languages: ['en-US'], voices: { nova: 0 }, threads: 0.5 }] },
  ],
])('an invalid option is named as %s', async (field, options) => {
  await expect(open(options)).rejects.toMatchObject({ name: 'EngineOptionsError', field })
})

test('each model speaks its languages in its voices', async () => {
  const engine = await open({
    models: [
      {
        files: TOY_FILES,
        languages: ['en-US', { tag: 'en-AU', quality: 'fallback', note: 'British' }],
        voices: { nova: 0 },
      },
      { files: TOY_FILES, languages: ['en-US', 'sw-KE'], voices: { atlas: 1 }, processes: 2 },
    ],
  })
  expect(engine.capabilities()).toMatchObject({
    languages: [
      { tag: 'en-US', quality: 'native' },
      { tag: 'en-AU', quality: 'fallback', note: 'British', voices: ['nova'] },
      { tag: 'sw-KE', quality: 'native', voices: ['atlas'] },
    ],
    voices: ['nova', 'atlas'],
    sampleRateHz: 22_050,
  })
  expect((await say(engine, { language: 'sw-KE', voice: 'atlas' })).length).toBeGreaterThan(0)
  await expect(say(engine, { language: 'sw-KE' })).rejects.toMatchObject({ code: 'voice_not_found' })
})

test('text without a known symbol is refused, and signs alone are silent', async () => {
  const engine = await open()
  await expect(say(engine, { text: 'नमस्ते' })).rejects.toMatchObject({ code: 'text_refused' })
  for (const text of ['', '…', '\u0000', '😀']) expect(await say(engine, { text })).toHaveLength(0)
  expect((await say(engine)).length).toBeGreaterThan(0)
})

test('an idle engine keeps no process alive, and a process ends with its parent', async () => {
  const file = fileURLToPath(new URL('./test/leave.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=vaani-source', file])
  const pid = Number(stdout)
  expect(pid).toBeGreaterThan(0)
  await vi.waitUntil(() => !isAlive(pid), { timeout: 300_000 })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
