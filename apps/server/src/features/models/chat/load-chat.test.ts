import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkChat, loadChat } from './load-chat.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-upstreams-'))
})
afterAll(() => rm(folder, { recursive: true }))

const UPSTREAM = { base_url: 'http://127.0.0.1:1/v1', models: ['m'] }
async function load(content: unknown) {
  const chatUpstreamsFile = path.join(folder, 'upstreams.json')
  await writeFile(chatUpstreamsFile, typeof content === 'string' ? content : JSON.stringify(content))
  const readChatKey = (variable: string) => (variable === 'BAD_KEY' ? 'secret\n' : undefined)
  return loadChat({ settings: { chatUpstreamsFile, readChatKey }, events: { record: () => undefined } })
}

test('serves the names of the table, or the models of all upstreams', async () => {
  const upstreams = { a: UPSTREAM, b: { ...UPSTREAM, models: ['m', 'n'] } }
  const plain = await load({ upstreams })
  expect(plain?.chat.models()).toEqual(['m', 'n'])
  const named = await load({ upstreams, models: { large: [{ upstream: 'b', model: 'n', weight: 0 }] } })
  expect(named?.chat.models()).toEqual(['large'])
  await plain?.chat.close()
  await named?.chat.close()
})

test('the key of an upstream may be in a file beside it', async () => {
  await writeFile(path.join(folder, 'key'), 'sk-secret\n')
  await (await load({ upstreams: { a: { ...UPSTREAM, api_key_file: 'key' } } }))?.chat.close()
})

test('null counts as absent', async () => {
  const nulls = { api_key_file: null, api_key_variable: null, endpoints: null, max_retries: null }
  const loaded = await load({ upstreams: { a: { ...UPSTREAM, ...nulls } }, models: null })
  expect(loaded?.chat.models()).toEqual(['m'])
  await loaded?.chat.close()
  const named = { m: [{ upstream: 'a', model: null, weight: null }] }
  await (await load({ upstreams: { a: UPSTREAM }, models: named }))?.chat.close()
  await expect(load({ upstreams: { a: { ...UPSTREAM, models: null } } })).rejects.toThrow(
    'upstreams.a.models: is missing',
  )
})

test.each<[string, unknown]>([
  ['is not JSON', '{'],
  ['upstreams: ', {}],
  ['upstreams must not be empty', { upstreams: {} }],
  ['upstreams.A', { upstreams: { A: UPSTREAM } }],
  ['upstreams.a.base_url must be an http(s) URL', { upstreams: { a: { ...UPSTREAM, base_url: 'secret' } } }],
  ['upstreams.a.models must not be empty', { upstreams: { a: { ...UPSTREAM, models: [] } } }],
  ['upstreams.a.max_retries must be', { upstreams: { a: { ...UPSTREAM, max_retries: 99 } } }],
  [
    'upstreams.a.key must be a bearer token',
    { upstreams: { a: { ...UPSTREAM, api_key_variable: 'BAD_KEY' } } },
  ],
  ['NO_KEY is not set, but upstreams.a', { upstreams: { a: { ...UPSTREAM, api_key_variable: 'NO_KEY' } } }],
  [
    'upstreams.a.api_key_file cannot be read (ENOENT)',
    { upstreams: { a: { ...UPSTREAM, api_key_file: 'none' } } },
  ],
  [
    'upstreams.a: must not have both',
    { upstreams: { a: { ...UPSTREAM, api_key_file: 'x', api_key_variable: 'X' } } },
  ],
  ['models.x.0.upstream is not', { upstreams: { a: UPSTREAM }, models: { x: [{ upstream: 'b' }] } }],
  ['models.x.0.model is not', { upstreams: { a: UPSTREAM }, models: { x: [{ upstream: 'a' }] } }],
])('an invalid file is an error with %s, and without its values', async (problem, content) => {
  const loaded = load(content)
  await expect(loaded).rejects.toThrow(problem)
  await expect(loaded).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.not.stringContaining('secret'),
  })
})

test.each<[string, unknown]>([
  [
    'of wrong types beside wrong values',
    {
      upstreams: { a: { ...UPSTREAM, max_retries: -1 }, b: { ...UPSTREAM, base_url: 5, max_concurrent: 0 } },
      models: {
        q: [
          { upstream: 'none', weight: '3' },
          { upstream: 'a', model: 'm' },
        ],
      },
    },
  ],
  [
    'of wrong values alone',
    {
      upstreams: {
        a: { ...UPSTREAM, max_retries: -1, api_key_variable: 'NO_KEY' },
        b: { ...UPSTREAM, max_concurrent: 0 },
      },
      models: { q: [{ upstream: 'none', weight: -3 }, { upstream: 'a', model: 'm' }, { upstream: 'b' }] },
    },
  ],
])('one error names all members %s, and nothing else', async (_, content) => {
  const error = await load(content).catch((reason: unknown) => reason)
  if (!(error instanceof Error)) throw new Error('was accepted')
  const named = error.message
    .split('; ')
    .map((problem) => /[a-z]+\.[a-z0-9_.]+|[A-Z]+_KEY/.exec(problem)?.[0])
  const isTyped = error.message.includes('base_url')
  expect(named.toSorted()).toEqual(
    [
      ...(isTyped ? ['upstreams.b.base_url'] : ['NO_KEY']),
      'models.q.0.upstream',
      'models.q.0.weight',
      'upstreams.a.max_retries',
      'upstreams.b.max_concurrent',
    ].toSorted(),
  )
})

test('the file is checked without being used', async () => {
  const chatUpstreamsFile = path.join(folder, 'upstreams.json')
  await writeFile(chatUpstreamsFile, JSON.stringify({ upstreams: { a: UPSTREAM } }))
  const settings = { chatUpstreamsFile, readChatKey: () => undefined }
  await expect(checkChat(settings)).resolves.toBeUndefined()
  await expect(checkChat({ ...settings, chatUpstreamsFile: undefined })).resolves.toBeUndefined()
  await writeFile(chatUpstreamsFile, '{"upstreams":{}}')
  await expect(checkChat(settings)).rejects.toThrow('must not be empty')
})
