import { createHash } from 'node:crypto'
import { LIMITS, RATE_LIMITS } from '@vaani/contracts'
import { decodeWav } from '@vaani/pcm-audio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const PATH = '/v1/lexicons/en-US'
const ENTRIES = [
  { term: 'KYC', spoken_as: 'know your customer' },
  { term: 'Vaani', spoken_as: 'vah nee' },
]
const WRITTEN = 'Vaani asks for the KYC today.'
const SPOKEN = 'vah nee asks for the know your customer today.'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const newAccount = (at = server) => at.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })
const put = (key: string, body: object, path = PATH) =>
  server.json<{ version: string }>(path, { key, method: 'PUT', body })

/** Bodies of the routes that speak. A watermark would differ for each request. */
const SPEAKERS = {
  '/v1/audio/stream': (text: string) => ({ model: 'stream-tts', input: text }),
  '/v1/engine/synthesize': (text: string) => ({ model: 'synth-l2', text, enable_watermark: false }),
  '/v1/audio/speech': (text: string) => ({
    model: 'tts-1',
    voice: 'nova',
    input: text,
    response_format: 'pcm',
  }),
}
type SpeakingPath = keyof typeof SPEAKERS
async function say(
  key: string,
  text: string,
  path: SpeakingPath = '/v1/audio/speech',
  more = {},
  at = server,
) {
  const response = await at.fetch(path, { key, body: { ...SPEAKERS[path](text), ...more } })
  expect(response.status).toBe(200)
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')
}

test.each(Object.keys(SPEAKERS) as SpeakingPath[])(
  '%s speaks terms as the lexicon of the language says, at once after a change',
  async (path) => {
    const { key } = await newAccount()
    const plain = await say(key, WRITTEN, path)
    const wanted = await say(key, SPOKEN, path)
    expect(plain).not.toBe(wanted)
    expect((await put(key, { entries: ENTRIES })).status).toBe(200)
    expect(await say(key, WRITTEN, path)).toBe(wanted)
    expect(await say(key, WRITTEN, path, { language: 'en' })).toBe(wanted)
    expect(await say(key, WRITTEN, path, { language: 'en-GB' })).toBe(
      await say((await newAccount()).key, WRITTEN, path, { language: 'en-GB' }),
    )
    expect((await server.fetch(PATH, { key, method: 'DELETE' })).status).toBe(204)
    expect(await say(key, WRITTEN, path)).toBe(plain)
  },
)

test('agents speak by it on calls', async () => {
  const { key } = await newAccount()
  /** Places a call, and returns the recorded sound without silence, which a busy machine adds. */
  async function hear(agent: string, greeting: string): Promise<Int16Array> {
    const body = { name: 'Guide', language: 'en-US', voice: 'nova', greeting }
    await server.json(`/admin/agents/${agent}`, { key, method: 'PUT', body })
    const to = '+9779812345678'
    const placed = await server.json<{ call_id: string }>('/agent/calls', {
      key,
      body: { to, agent_id: agent },
    })
    const path = `/agent/calls/${placed.body.call_id}`
    await until(
      () => server.json<{ status: string }>(path, { key }),
      ({ body: call }) => call.status === 'completed',
    )
    const { samples } = decodeWav(
      new Uint8Array(await (await server.fetch(`${path}/recording`, { key })).arrayBuffer()),
    )
    return samples.filter((sample) => sample !== 0)
  }
  const wanted = await hear('respelled', SPOKEN)
  await put(key, { entries: ENTRIES })
  expect(await hear('guide', WRITTEN)).toEqual(wanted)
})

test('a lexicon without region serves all regions that have none of their own', async () => {
  const { key } = await newAccount()
  await put(key, { entries: ENTRIES }, '/v1/lexicons/en')
  await put(key, { entries: [{ term: 'unheard', spoken_as: '' }] }, '/v1/lexicons/en-GB')
  expect(await say(key, WRITTEN)).toBe(await say(key, SPOKEN))
  expect(await say(key, WRITTEN, '/v1/audio/speech', { language: 'en-GB' })).not.toBe(
    await say(key, SPOKEN, '/v1/audio/speech', { language: 'en-GB' }),
  )
})

test('other accounts and the other mode have lexicons of their own', async () => {
  const { key, accountId } = await newAccount()
  await put(key, { entries: ENTRIES })
  for (const other of [await server.createKey(accountId, true), (await newAccount()).key]) {
    expect((await server.json(PATH, { key: other })).status).toBe(404)
    expect((await server.json(PATH, { key: other, method: 'DELETE' })).status).toBe(404)
    expect((await server.json('/v1/lexicons', { key: other })).body).toEqual({ data: [] })
    expect(await say(other, WRITTEN)).not.toBe(await say(other, SPOKEN))
  }
  expect((await server.json(PATH, { key })).body).toMatchObject({ livemode: false })
})

test('is read as it was sent, under the canonical tag, with a version of its content', async () => {
  const { key } = await newAccount()
  const { body } = await put(key, { entries: ENTRIES }, '/v1/lexicons/EN-us')
  expect(body).toEqual({
    language: 'en-US',
    livemode: false,
    entries: ENTRIES,
    version: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await server.json('/v1/lexicons/en-us', { key })).body).toEqual(body)
  const { entries: _, ...summary } = { ...body, entries: undefined }
  expect((await server.json('/v1/lexicons', { key })).body).toEqual({
    data: [{ ...summary, entry_count: 2 }],
  })

  const conflict = { status: 409, body: { error: { code: 'state_conflict', param: 'version' } } }
  const change = { entries: ENTRIES.slice(1), version: body.version }
  // The second time as after an answer that was lost.
  for (let attempt = 0; attempt < 2; attempt++) expect((await put(key, change)).status).toBe(200)
  expect(await put(key, { entries: ENTRIES, version: body.version })).toMatchObject(conflict)
  expect(await put(key, { entries: ENTRIES, version: body.version }, '/v1/lexicons/ne-NP')).toMatchObject(
    conflict,
  )
  expect((await put(key, { entries: ENTRIES })).body.version).toBe(body.version)
})

describe('entries', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ term: `term ${index}`, spoken_as: 'x'.repeat(200) }))

  test.each([
    [{ entries: [ENTRIES[0], { term: '?!', spoken_as: 'x' }] }, 'entries.1.term'],
    [{ entries: [{ term: 'a'.repeat(101), spoken_as: 'x' }] }, 'entries.0.term'],
    [{ entries: [{ term: 'a', spoken_as: 'x'.repeat(201) }] }, 'entries.0.spoken_as'],
    [{ entries: [{ term: 'a' }] }, 'entries.0.spoken_as'],
    [{ entries: [] }, 'entries'],
    [{ entries: many(LIMITS.lexiconEntries + 1) }, 'entries'],
    [{}, 'entries'],
  ])('are refused by the path of the field: case %#', async (body, param) => {
    const { key } = await newAccount()
    expect(await put(key, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    })
    expect((await server.json(PATH, { key })).status).toBe(404)
  })

  test('may be as many as the limit, and as long', async () => {
    const { key } = await newAccount()
    const entries = many(LIMITS.lexiconEntries).map((_, index) => ({
      term: `${'न'.repeat(90)}${index}`,
      spoken_as: 'न'.repeat(200),
    }))
    expect((await put(key, { entries })).status).toBe(200)
    expect(await say(key, SPOKEN)).toBe(await say((await newAccount()).key, SPOKEN))
  })

  test('are text, never markup', async () => {
    const { key } = await newAccount()
    await put(key, { entries: [{ term: 'x', spoken_as: '<break time="9s"/>[[h]]' }] })
    const body = SPEAKERS['/v1/audio/stream']('one x two')
    const pcm = await (await server.fetch('/v1/audio/stream', { key, body })).arrayBuffer()
    expect(pcm.byteLength).toBeLessThan(9 * 32_000)
  })
})

test('a language tag that is none is refused', async () => {
  const { key } = await newAccount()
  const answer = await put(key, { entries: ENTRIES }, '/v1/lexicons/-')
  expect(answer).toMatchObject({ status: 400, body: { error: { param: 'language' } } })
})

test('an account has a limited number of lexicons per mode, exact under concurrency', async () => {
  const { key, accountId } = await newAccount()
  const language = (index: number) => `/v1/lexicons/en-x-a${index}`
  const statuses = await Promise.all(
    Array.from({ length: LIMITS.lexiconsPerAccount + 5 }, async (_, index) => {
      const { status } = await put(key, { entries: ENTRIES }, language(index))
      return status
    }),
  )
  expect(statuses.filter((status) => status === 409)).toHaveLength(5)
  const stored = statuses.indexOf(200)
  expect((await put(key, { entries: ENTRIES }, language(stored))).status).toBe(200)
  expect((await put(await server.createKey(accountId, true), { entries: ENTRIES })).status).toBe(200)
})

test('changes beyond the rate are refused, and change nothing', async () => {
  const { key } = await server.createAccount({ tier: 'starter' })
  const { limit } = RATE_LIMITS.lexicon_changes.rates.starter
  const answers = await Promise.all(Array.from({ length: limit + 1 }, () => put(key, { entries: ENTRIES })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: limit }, () => 200),
    429,
  ])
  expect((await put(key, { entries: [] })).status).toBe(429)
  expect((await server.json(PATH, { key })).body).toMatchObject({ entries: ENTRIES })
})

test('another process speaks by a change within a second', async () => {
  let nowMs = Date.now()
  const { dataDirectory } = server.context.settings
  await using other = await startTestServer({
    config: { databaseUrl: server.databaseUrl, dataDirectory, roles: new Set(['api']) },
    key: server.key,
    clock: { nowMs: () => nowMs },
  })
  const { key } = await newAccount()
  const sayThere = (text: string) => say(key, text, '/v1/audio/speech', {}, other)
  const wanted = await sayThere(SPOKEN)
  expect(await sayThere(WRITTEN)).not.toBe(wanted)
  await put(key, { entries: ENTRIES })
  nowMs += 999
  expect(await sayThere(WRITTEN)).toBe(wanted)
  await server.fetch(PATH, { key, method: 'DELETE' })
  nowMs += 999
  expect(await sayThere(WRITTEN)).not.toBe(wanted)
})
