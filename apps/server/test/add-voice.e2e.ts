import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasAdapter, installAdapter } from '../src/features/speech/add-voice/adapter.ts'
import { addVoice } from '../src/features/speech/add-voice/add-voice.ts'
import { download } from '../src/features/speech/add-voice/download.ts'
import { unpack } from '../src/features/speech/add-voice/unpack.ts'
import { readVoiceRequest } from '../src/features/speech/add-voice/voice-request.ts'
import { runToEnd } from './support/run-to-end.ts'
import { startTestServer } from './support/test-server.ts'

/** The toy model, packed by `tar -C packages/speech-sherpa -cjf apps/server/test/support/toy-voice.tar.bz2 toy`. */
const TOY = await readFile(fileURLToPath(import.meta.resolve('./support/toy-voice.tar.bz2')))
const { signal } = new AbortController()
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-voices-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
const toyOptions = (archive: Uint8Array) => ({
  sha256: sha256(archive),
  family: 'vits',
  languages: 'sw-KE,en-US',
  speakers: '0,1',
})
const toArguments = (options: Record<string, string>) =>
  Object.entries(options).map(([name, value]) => `--${name}=${value}`)
/** Every path below a folder, with the content of files. */
async function contentOf(directory: string) {
  const paths = await readdir(directory, { recursive: true, withFileTypes: true })
  return Promise.all(
    paths.map(async (one) => {
      const file = path.join(one.parentPath, one.name)
      return [file, one.isFile() ? await readFile(file, 'utf8') : null]
    }),
  )
}

test('one command adds a voice, and the server then speaks with it', async () => {
  using release = await serve((_, response) => response.end(TOY))
  const options = toArguments({ ...toyOptions(TOY), url: release.url })
  const environment = { VAANI_DATA_DIR: folder }
  const added = await runToEnd(['voices', 'add', 'toy', ...options], environment)
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toContain('asks for sw-KE, in this order: toy, espeak')
  expect(added.stdout).toContain('GPL-3.0-or-later')
  expect((await runToEnd(['voices', 'list'], environment)).stdout).toMatch(
    /kokoro-en .*\n[^]*Your own: toy\n$/,
  )
  expect((await readdir(path.join(folder, 'voices'))).toSorted()).toEqual(['engines.json', 'toy'])

  await using server = await startTestServer({
    config: { dataDirectory: folder, speechEnginesFile: undefined, roles: new Set(['api']) },
  })
  const { body } = await server.json<{ data: { language: string; engine: string }[] }>('/v1/engine/languages')
  const engines = Object.fromEntries(body.data.map(({ language, engine }) => [language, engine]))
  expect(engines).toMatchObject({ 'sw-KE': 'toy', 'en-US': 'toy', 'en-GB': 'flite', 'ne-NP': 'espeak' })
  for (const voice of ['nova', 'atlas']) {
    const words = { model: 'stream-tts', input: 'Habari', voice, language: 'sw-KE' }
    const response = await server.fetch('/v1/audio/stream', { body: words })
    const samples = new Int16Array(await response.arrayBuffer())
    expect(response.status).toBe(200)
    expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true)
  }
})

test('the operator’s file keeps all that is in it', async () => {
  const archive = path.join(folder, 'toy.tar.bz2')
  const file = path.join(folder, 'own.json')
  const vendor = {
    type: 'openai',
    base_url: 'https://speech.example.com/v1',
    model: 'tts',
    voices: { nova: 'a' },
    languages: ['en-US'],
    max_retries: 0,
  }
  const embedded = { type: 'espeak', warm_workers: 0 }
  const routes = [{ languages: ['en'], engines: ['vendor', 'embedded'] }, { engines: ['embedded'] }]
  await writeFile(archive, TOY)
  await writeFile(file, JSON.stringify({ engines: { vendor, embedded }, routes }))
  await chmod(file, 0o640)
  const settings = { dataDirectory: path.join(folder, 'data'), speechEnginesFile: file }
  const request = readVoiceRequest('toy', { ...toyOptions(TOY), from: archive })
  const added = await addVoice(request, { settings, signal, print: () => undefined })
  expect(added.order).toEqual(['toy', 'embedded'])
  const { engines, ...more } = JSON.parse(await readFile(file, 'utf8'))
  expect(engines).toMatchObject({ vendor, embedded, toy: { type: 'sherpa' } })
  const { model } = engines.toy.models[0].files.vits
  expect(path.resolve(folder, model)).toBe(path.join(folder, 'data', 'voices', 'toy', 'toy.onnx'))
  expect(more).toEqual({
    routes: [{ languages: ['en'], engines: ['vendor', 'toy', 'embedded'] }, { engines: ['toy', 'embedded'] }],
  })
  expect((await stat(file)).mode & 0o777).toBe(0o640)
})

describe('a failure says what is wrong, and changes nothing', () => {
  const pack = async (...entries: TarEntry[]) => gzipSync(await packTar(entries))
  const textFile = (name: string, body = 'text'): TarEntry => ({ header: { name, size: body.length }, body })
  const link = (type: 'symlink' | 'link'): TarEntry => ({
    header: { name: 'toy/toy.onnx', size: 0, type, linkname: '/etc/passwd' },
  })

  async function expectRefusal(problem: string, act: () => Promise<unknown>) {
    const before = await contentOf(folder)
    await expect(act()).rejects.toThrow(problem)
    expect(await contentOf(folder)).toEqual(before)
  }
  const addFrom = (url: string, archive: Uint8Array, settings = {}) =>
    addVoice(readVoiceRequest('toy', { ...toyOptions(archive), url }), {
      settings: { dataDirectory: path.join(folder, 'data'), speechEnginesFile: undefined, ...settings },
      signal,
      print: () => undefined,
    })

  test.each<[string, string, RequestListener]>([
    ['another archive', 'is not the one that is meant', (_, response) => response.end('other')],
    ['an error of the server', 'the server answered 500', (_, response) => response.writeHead(500).end()],
    [
      'a connection that is cut',
      'The download from 127.0.0.1',
      (_, response) =>
        response.writeHead(200, { 'content-length': 2000 }).write(TOY, () => response.destroy()),
    ],
  ])('%s', async (_, problem, listener) => {
    using release = await serve(listener)
    await expectRefusal(problem, () => addFrom(release.url, TOY))
  })

  test('a server that never ends', async () => {
    using release = await serve((_, response) => {
      const more = (error?: Error | null) => error ?? response.write(Buffer.alloc(1_000_000), more)
      more()
    })
    const request = readVoiceRequest('piper-es-carlfm', { url: release.url })
    const settings = { dataDirectory: folder, speechEnginesFile: undefined }
    const printed: string[] = []
    await expectRefusal('has more than 27 MB', () =>
      addVoice(request, { settings, signal, print: (text) => printed.push(text) }),
    )
    expect(printed).toContain('90 % of 27 MB\n')
  })

  test('a server that says nothing', async () => {
    using release = await serve(() => undefined)
    const limits = { maxBytes: 1, timeoutMs: 50, signal, onProgress: () => undefined }
    await expectRefusal('aborted due to timeout', () => download(release.url, path.join(folder, 'a'), limits))
  })

  test.each<[string, string, () => Promise<Uint8Array>]>([
    ['a path that leads out', 'is not allowed: ../toy.onnx', () => pack(textFile('../toy.onnx'))],
    ['a path that leads out later', 'is not allowed: toy/../../x', () => pack(textFile('toy/../../x'))],
    ['an absolute path', 'is not allowed: /tmp/x', () => pack(textFile('/tmp/x'))],
    ['a symbolic link', 'no file: toy/toy.onnx', () => pack(link('symlink'))],
    ['a hard link', 'no file: toy/toy.onnx', () => pack(link('link'))],
    ['a file twice', 'EEXIST', () => pack(textFile('toy/a'), textFile('toy/a'))],
    ['bytes that are no archive', 'cannot be unpacked', () => Promise.resolve(Buffer.from('BZh91AY?'))],
    ['an archive that is cut', 'cannot be unpacked', () => Promise.resolve(TOY.subarray(0, 900))],
    ['no model', 'one file that ends in .onnx, and has 0', () => pack(textFile('toy/tokens.txt'))],
    ['no tokens', 'lacks tokens.txt', () => pack(textFile('toy/toy.onnx'))],
    [
      'a model that cannot be loaded',
      'The model cannot speak',
      () => pack(textFile('toy/toy.onnx'), textFile('toy/tokens.txt')),
    ],
  ])('%s', async (_, problem, make) => {
    const archive = await make()
    using release = await serve((_request, response) => response.end(archive))
    await expectRefusal(problem, () => addFrom(release.url, archive))
  })

  test.each([
    ['entries', { files: 2, bytes: 1e9 }],
    ['MB unpacked', { files: 10, bytes: 1000 }],
  ])('too many %s', async (problem, bounds) => {
    const archive = path.join(folder, 'toy')
    await writeFile(archive, TOY)
    const target = await mkdtemp(path.join(folder, 'to-'))
    await expect(unpack(archive, target, { bounds, signal })).rejects.toThrow(problem)
  })

  test.each([
    ['data', 'must be writable: ENOTDIR', { speechEnginesFile: 'engines.json' }],
    ['engines', 'engines.json cannot be read (ENOTDIR)', { speechEnginesFile: 'data/engines.json' }],
    ['engines, which is missing', 'must be writable: ENOENT', { speechEnginesFile: 'none/engines.json' }],
  ])('a folder of %s that cannot be written', async (_, problem, { speechEnginesFile }) => {
    if (!speechEnginesFile.startsWith('none')) await writeFile(path.join(folder, 'data'), 'a file')
    const settings = { speechEnginesFile: path.join(folder, speechEnginesFile) }
    await expectRefusal(problem, () => addFrom('http://127.0.0.1:9', TOY, settings))
  })

  test.each([
    ['that is invalid', 'VAANI_SPEECH_ENGINES_FILE engines', '{}'],
    ['that has the name', 'has an engine toy already', '{ "engines": { "toy": { "type": "flite" } } }'],
  ])('a file of engines %s', async (_, problem, content) => {
    const speechEnginesFile = path.join(folder, 'own.json')
    await writeFile(speechEnginesFile, content)
    await expectRefusal(problem, () => addFrom('http://127.0.0.1:9', TOY, { speechEnginesFile }))
  })
})

test.each<[string, string, Record<string, string>]>([
  ['nothing', 'toy is not one of kokoro-en', {}],
  ['no checksum', '--sha256 is missing', { from: 'a', family: 'vits', languages: 'en-US' }],
  ['an unknown family', '--family', { ...toyOptions(TOY), from: 'a', family: 'matcha' }],
  ['no region', '--languages must be tags', { ...toyOptions(TOY), from: 'a', languages: 'en' }],
  ['one speaker', '--speakers must be', { ...toyOptions(TOY), from: 'a', speakers: '1' }],
  ['a file as a URL', '--url must be an http(s) URL', { ...toyOptions(TOY), url: 'file:///a' }],
])('a description with %s is refused', (_, problem, options) => {
  expect(() => readVoiceRequest('toy', options)).toThrow(problem)
})

test('a known voice takes another address or a file, and no other description', () => {
  expect(readVoiceRequest('kokoro-en', {}).source).toEqual({ url: expect.stringMatching(/kokoro-en-v0_19/) })
  const source = { url: 'https://mirror.example.com/a' }
  expect(readVoiceRequest('kokoro-en', source)).toMatchObject({ source, maxBytes: 320e6 })
  expect(readVoiceRequest('kokoro-en', { from: 'a' }).source).toEqual({ file: 'a' })
  expect(() => readVoiceRequest('kokoro-en', { family: 'vits' })).toThrow('leave out --family')
})

describe('the packages of sherpa-onnx', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('are installed by npm', async () => {
    const manifest = JSON.stringify({ name: 'any', version: '1.0.0', main: 'index.js' })
    const tarball = gzipSync(
      await packTar([
        { header: { name: 'package/package.json', size: manifest.length }, body: manifest },
        { header: { name: 'package/index.js', size: 0 }, body: '' },
      ]),
    )
    using registry = await serve(({ url = '', headers }, response) => {
      if (url.endsWith('.tgz')) return response.end(tarball)
      const name = decodeURIComponent(url.slice(1))
      const dist = { tarball: `http://${headers.host}/any.tgz` }
      const version = { name, version: '1.0.0', dist }
      return response.end(
        JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
      )
    })
    vi.stubEnv('npm_config_registry', registry.url)
    vi.stubEnv('npm_config_cache', path.join(folder, 'cache'))
    const directory = path.join(folder, 'packages')
    await installAdapter(directory, { lasting: directory, signal })
    expect(hasAdapter(directory)).toBe(true)
  })

  test('or the command is named with which an operator can do it', async () => {
    using registry = await serve((_, response) => response.writeHead(404).end())
    vi.stubEnv('npm_config_registry', registry.url)
    vi.stubEnv('npm_config_cache', path.join(folder, 'cache'))
    const lasting = path.join(folder, 'voices', 'packages')
    await expect(installAdapter(path.join(folder, 'aside'), { lasting, signal })).rejects.toThrow(
      `npm install --prefix ${lasting} --ignore-scripts @vaani/speech-sherpa sherpa-onnx-node`,
    )
  })
})
