import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  access,
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addVoice } from '../src/features/speech/add-voice/add-voice.ts'
import { readVoiceRequest } from '../src/features/speech/add-voice/voice-request.ts'
import { contentOf, serve, TOY, TOY_FILE, toyOptions } from './support/toy-voice.ts'

const { signal } = new AbortController()
const ESPEAK = '{ "engines": { "espeak": { "type": "espeak" } } }'

let folder: string
let dataDirectory: string
let voices: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-voices-'))
  dataDirectory = path.join(folder, 'data')
  voices = path.join(dataDirectory, 'voices')
})
afterEach(() => rm(folder, { recursive: true }))

interface Given {
  name?: string
  url?: string
  file?: string | undefined
  data?: string
  print?: (text: string) => void
}
const add = ({ name = 'toy', url, file, data = dataDirectory, print = () => undefined }: Given = {}) =>
  addVoice(
    readVoiceRequest(name, { ...toyOptions(TOY), ...(url === undefined ? { from: TOY_FILE } : { url }) }),
    {
      settings: { dataDirectory: data, speechEnginesFile: file },
      signal,
      print,
    },
  )

async function expectRefusal(problem: string, act: () => Promise<unknown>) {
  const before = await contentOf(folder)
  await expect(act()).rejects.toThrow(problem)
  expect(await contentOf(folder)).toEqual(before)
}

/** Where the server looks for the model: relative to the path that it was given. */
async function modelOf(file: string): Promise<string> {
  const { engines } = JSON.parse(await readFile(file, 'utf8'))
  return path.resolve(path.dirname(file), engines.toy.models[0].files.vits.model)
}

test('a link to the engines’ file stays one, and the server finds the model', async () => {
  const link = path.join(folder, 'etc', 'engines.json')
  await mkdir(path.dirname(link))
  await mkdir(dataDirectory)
  await writeFile(path.join(dataDirectory, 'real.json'), ESPEAK)
  await symlink('../data/real.json', link)
  await add({ file: link })
  expect(await readlink(link)).toBe('../data/real.json')
  await access(await modelOf(link))
  await access(await modelOf(path.join(dataDirectory, 'real.json')))
})

test('a link that leads nowhere is refused', async () => {
  const link = path.join(folder, 'engines.json')
  await symlink('none.json', link)
  await expectRefusal('is a link to a file that does not exist', () => add({ file: link }))
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
})

test('the mode of the engines’ file stays, whatever is masked', async () => {
  const file = path.join(folder, 'engines.json')
  await writeFile(file, ESPEAK)
  await chmod(file, 0o666)
  await add({ file })
  expect((await stat(file)).mode & 0o777).toBe(0o666)
})

test.runIf(process.getuid?.() === 0)('its owner stays', async () => {
  const file = path.join(folder, 'engines.json')
  await writeFile(file, ESPEAK, { mode: 0o600 })
  await chown(file, 1234, 2345)
  await add({ file })
  expect(await stat(file)).toMatchObject({ uid: 1234, gid: 2345 })
})

test('a folder that exists is refused, because another file of engines may use it', async () => {
  await add()
  const own = path.join(voices, 'engines.json')
  await writeFile(own, (await readFile(own, 'utf8')).replaceAll('"toy"', '"renamed"'))
  await expectRefusal('toy exists already', () => add())
  const other = path.join(folder, 'other.json')
  await expectRefusal('toy exists already', () => add({ file: other }))
})

test('of two at a time, one is refused', async () => {
  const waiting = Promise.withResolvers<() => void>()
  using release = await serve((_, response) => waiting.resolve(() => response.end(TOY)))
  const file = path.join(folder, 'engines.json')
  const first = add({ url: release.url, file })
  const letGo = await waiting.promise
  await expectRefusal('Another `voices add` is running', () => add({ name: 'other', file }))
  await expectRefusal('Another `voices add` is running', () => add({ name: 'other' }))
  const data = path.join(folder, 'more')
  await expectRefusal('Another `voices add` is running', () => add({ name: 'other', file, data }))
  letGo()
  await first
  expect((await readdir(folder)).toSorted()).toEqual(['data', 'engines.json'])
  expect(await readdir(voices)).toEqual(['toy'])
})

test('what a crash left is removed', async () => {
  const crashed = spawn('true')
  await once(crashed, 'close')
  await mkdir(path.join(voices, `.adding-${crashed.pid}-a`, 'model'), { recursive: true })
  await writeFile(path.join(voices, `engines.json.adding-${crashed.pid}-b`), '')
  await add()
  expect((await readdir(voices)).toSorted()).toEqual(['engines.json', 'toy'])
})

test('the query of a URL is not printed', async () => {
  const printed: string[] = []
  using release = await serve((_, response) => response.writeHead(403).end())
  const url = `${release.url}/a?token=s3cret`
  const error = await add({ url, print: (text) => printed.push(text) }).catch(String)
  expect(printed.join('')).toContain(`Downloading ${release.url}/a\n`)
  expect(`${printed.join('')}${String(error)}`).not.toContain('s3cret')
})
