import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { NEUTRAL, type SpeechEngine } from '@vaani/speech'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { loadSpeechEngine } from './engine.ts'
import { speechSettings } from './settings.ts'

const TOY = fileURLToPath(import.meta.resolve('@vaani/speech-sherpa/toy/toy.onnx'))
const KEY = 'sk-of-the-test'

let folder: string
let vendor: Server
let asked: (string | undefined)[]
let status: number
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
  await writeFile(path.join(folder, 'vendor.key'), `${KEY}\n`)
  vendor = createServer((request, response) => {
    asked.push(request.headers.authorization)
    request.resume().on('end', () => response.writeHead(status).end(new Uint8Array(9600)))
  })
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
})
afterAll(async () => {
  vendor.closeAllConnections()
  vendor.close()
  await rm(folder, { recursive: true })
})

let engine: SpeechEngine | null = null
let recorded: [string, unknown][]
afterEach(async () => {
  await engine?.close()
  engine = null
})

async function load(content: unknown, environment: Record<string, string> = {}): Promise<SpeechEngine> {
  const file = path.join(folder, 'engines.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  asked = []
  status = 200
  recorded = []
  engine = await loadSpeechEngine({
    settings: speechSettings.read({ VAANI_SPEECH_ENGINES_FILE: file, ...environment }),
    log: createLogger('silent'),
    events: { record: (event, fields) => void recorded.push([event, fields]) },
    warmsSpeech: true,
  })
  if (engine === null) throw new Error('No engine was loaded')
  return engine
}
const vendorEntry = (more: object = {}) => ({
  type: 'openai',
  base_url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`,
  model: 'tts',
  voices: { nova: 'alloy', atlas: 'onyx' },
  languages: ['en-US', { tag: 'hi-IN', quality: 'fallback', note: 'English accent' }],
  max_retries: 0,
  ...more,
})
const ESPEAK = { type: 'espeak', workers: 1 }
const FLITE = { type: 'flite', workers: 1 }
async function say(language: string) {
  let samples = 0
  const request = { text: 'Hello', voice: 'nova', language, prosody: NEUTRAL }
  for await (const chunk of (engine as SpeechEngine).synthesize(request)) samples += chunk.length
  return samples
}

test('engines of a file share the languages, and the next one speaks while one is unavailable', async () => {
  const files = { vits: { model: TOY, tokens: path.join(path.dirname(TOY), 'tokens.txt') } }
  await load({
    engines: {
      vendor: vendorEntry({ api_key_file: 'vendor.key' }),
      local: { type: 'sherpa', models: [{ files, languages: ['sw-KE'], voices: { nova: 0 } }] },
      embedded: ESPEAK,
    },
    routes: [{ languages: ['sw'], engines: ['local', 'embedded'] }, { engines: ['vendor', 'embedded'] }],
  })
  const { languages, voices } = (engine as SpeechEngine).capabilities()
  expect(voices).toEqual(['nova', 'atlas', 'default', 'alt1', 'alt2'])
  const rows = Object.fromEntries(languages.map(({ tag, ...row }) => [tag, row]))
  expect(rows['en-US']).toEqual({ quality: 'native', engine: 'vendor' })
  expect(rows['hi-IN']).toEqual({ quality: 'fallback', note: 'English accent', engine: 'vendor' })
  // The vendor, with the highest rate, does not speak these.
  expect(rows['sw-KE']).toEqual({ quality: 'native', engine: 'local', sampleRateHz: 22_050 })
  expect(rows['ne-NP']).toEqual({ quality: 'native', engine: 'embedded', sampleRateHz: 22_050 })
  // As long as the vendor's 200 ms, but at its rate.
  expect(await say('en-US')).toBe(4800)
  expect(asked).toEqual([`Bearer ${KEY}`])
  expect(await say('sw-KE')).toBeGreaterThan(0)
  status = 500
  expect(await say('en-US')).toBeGreaterThan(0)
  expect(recorded).toEqual([
    [
      'engine_failed',
      {
        engine: 'vendor',
        code: 'engine_failed',
        reason: 'The speech server answered 500',
        state: 'before_audio',
      },
    ],
  ])
})

test('the adapter is loaded from its directory, in the form in which it is published', async () => {
  const place = path.join(folder, 'installed', 'node_modules', '@vaani', 'speech-sherpa')
  await mkdir(place, { recursive: true })
  const exports = { require: './index.cjs', default: './index.js' }
  await writeFile(path.join(place, 'package.json'), JSON.stringify({ type: 'module', exports }))
  await writeFile(path.join(place, 'index.cjs'), "module.exports = require('./index.js')")
  await writeFile(
    path.join(place, 'index.js'),
    `export const createEngine = () => ({
      id: 'installed',
      capabilities: () => ({
        languages: [{ tag: 'sw-KE', quality: 'native' }], voices: ['nova'], sampleRateHz: 16_000,
      }),
      async *synthesize() { yield new Int16Array(123) },
      async close() {},
    })`,
  )
  const directory = path.join(folder, 'installed')
  await load({ engines: { local: { type: 'sherpa', directory, models: [] } } })
  expect(await say('sw-KE')).toBe(123)
})

test('Flite speaks English where a row says so, and repeats itself', async () => {
  await load({
    engines: { english: FLITE, embedded: ESPEAK },
    routes: [{ languages: ['en'], engines: ['english'] }, { engines: ['embedded'] }],
  })
  const { languages, voices, ...capabilities } = (engine as SpeechEngine).capabilities()
  expect(voices).toEqual(['nova', 'atlas', 'default', 'alt1', 'alt2'])
  expect(languages.filter(({ engine: name }) => name === 'english').map(({ tag }) => tag)).toEqual([
    'en-US',
    'en-GB',
    'en-AU',
  ])
  expect(capabilities).toMatchObject({ repeatable: true, pauses: true, words: true, pitch: true })
  expect(await say('en-US')).toBeGreaterThan(0)
  expect(await say('ne-NP')).toBeGreaterThan(0)
})

test('without a file, Flite speaks English and eSpeak NG the rest, and neither stands in for the other', async () => {
  engine = await loadSpeechEngine({
    settings: speechSettings.read({}),
    log: createLogger('silent'),
    events: { record: () => undefined },
    warmsSpeech: true,
  })
  const { languages, repeatable } = (engine as SpeechEngine).capabilities()
  const spoken = Map.groupBy(languages, (row) => row.engine)
  expect(spoken.get('flite')?.map(({ tag }) => tag)).toEqual(['en-US', 'en-GB', 'en-AU'])
  expect(spoken.get('espeak')?.length).toBeGreaterThan(35)
  expect(repeatable).toBe(true)
})

test('the key of the environment goes only to an engine that asks for it', async () => {
  const environment = { VAANI_SPEECH_API_KEY: KEY }
  await load({ engines: { vendor: vendorEntry({ api_key_from_environment: true }) } }, environment)
  await say('en-US')
  expect(asked).toEqual([`Bearer ${KEY}`])
  await engine?.close()
  await load({ engines: { vendor: vendorEntry() } }, environment)
  await say('en-US')
  expect(asked).toEqual([undefined])
})

const files = { vits: { model: 'none.onnx', tokens: 'none.txt' } }
const model = { files, languages: ['en-US'], voices: { nova: 0 } }
test.each<[string, unknown]>([
  ['is not JSON', 'secret-value'],
  ['engines', {}],
  ['engines: must not be empty', { engines: {} }],
  ['engines.Vendor', { engines: { Vendor: ESPEAK } }],
  ['engines.embedded.type', { engines: { embedded: { type: 'secret-value' } } }],
  ['engines.embedded.workers', { engines: { embedded: { ...ESPEAK, workers: 0 } } }],
  ['engines.english.warm_workers', { engines: { english: { ...FLITE, warm_workers: -1 } } }],
  [
    'engines.vendor.base_url: must be an http(s) URL',
    { engines: { vendor: { ...vendorless(), base_url: 'secret-value' } } },
  ],
  ['engines.vendor.max_retries', { engines: { vendor: { ...vendorless(), max_retries: 99 } } }],
  [
    'engines.vendor.api_key_file: cannot be read (ENOENT)',
    { engines: { vendor: { ...vendorless(), api_key_file: 'secret-value' } } },
  ],
  [
    'VAANI_SPEECH_API_KEY is not set, but engines.vendor uses it',
    { engines: { vendor: { ...vendorless(), api_key_from_environment: true } } },
  ],
  [
    'engines.local.models.0.files.vits.model: cannot be read (ENOENT)',
    { engines: { local: { type: 'sherpa', models: [model] } } },
  ],
  [
    'engines.local.models.0.files: must have the files of one family',
    { engines: { local: { type: 'sherpa', models: [{ ...model, files: { secret: {} } }] } } },
  ],
  [
    'routes.0.engines.1: is not the name of an engine',
    { engines: { embedded: ESPEAK }, routes: [{ engines: ['embedded', 'secret-value'] }] },
  ],
])('a file is refused with the name of its member: %s', async (problem, content) => {
  const error: unknown = await load(content).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as ConfigError).message).toContain(problem)
  expect((error as ConfigError).message).not.toContain('secret-value')
})

function vendorless() {
  return {
    type: 'openai',
    base_url: 'http://127.0.0.1:1/v1',
    model: 'tts',
    voices: { nova: 'a' },
    languages: ['en-US'],
  }
}

test('a file that does not exist is refused', async () => {
  const settings = speechSettings.read({ VAANI_SPEECH_ENGINES_FILE: path.join(folder, 'none.json') })
  await expect(
    loadSpeechEngine({
      settings,
      log: createLogger('silent'),
      events: { record: () => undefined },
      warmsSpeech: true,
    }),
  ).rejects.toThrow('VAANI_SPEECH_ENGINES_FILE cannot be read (ENOENT)')
})

test.each([
  ['warmed', true, 2],
  ['not warmed', false, 1],
])('embedded engines that are %s', async (_, warmsSpeech, threads) => {
  let started = 0
  const count = () => void started++
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  engine = await loadSpeechEngine({
    settings: speechSettings.read({}),
    log: createLogger('silent'),
    events: { record: () => undefined },
    warmsSpeech,
  })
  expect(await say('en-US')).toBeGreaterThan(0)
  expect(started).toBe(threads)
})
