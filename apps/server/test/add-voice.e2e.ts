import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addVoice } from '../src/features/speech/add-voice/add-voice.ts'
import { download } from '../src/features/speech/add-voice/download.ts'
import { unpack } from '../src/features/speech/add-voice/unpack.ts'
import { readVoiceRequest } from '../src/features/speech/add-voice/voice-request.ts'
import { runToEnd } from './support/run-to-end.ts'
import { startTestServer } from './support/test-server.ts'
import { contentOf, serve, TOY, toyOptions } from './support/toy-voice.ts'

const { signal } = new AbortController()

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-voices-'))
})
afterEach(() => rm(folder, { recursive: true }))

const toArguments = (options: Record<string, string>) =>
  Object.entries(options).map(([name, value]) => `--${name}=${value}`)

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
