import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Id } from '@vaani/contracts'
import { createFloatResampler, decodeWav, encodeWav, int16ToFloat32 } from '@vaani/pcm-audio'
import { ANALYSIS_RATE_HZ, measureVoice } from '@vaani/speech/cloning'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  encodeRecording,
  RECORDING_FORMATS,
  type RecordingFormat,
  recordSpeaker,
} from './support/recordings.ts'
import { formOf, type Part } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const UNLIMITED = { voice_cloning: { limit: 1000, period_seconds: 60 } }
const TEXT = 'Your appointment with the doctor has moved to Thursday morning. Please bring the letter.'

interface Voice {
  voice_id: string
  name: string
}
interface Refusal {
  error: { code: string; param: string; details?: { param: string; reason: string }[] }
}

let server: TestServer
let owner: { accountId: Id<'account'>; key: string }
let man: Buffer
let woman: Buffer
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createAccount({ rateOverrides: UNLIMITED })
  man = await recordSpeaker('man')
  woman = await recordSpeaker('woman')
})
afterAll(() => server[Symbol.asyncDispose]())

async function clone<Body = Voice>(
  parts: readonly Part[],
  { key = owner.key, on = server, route = '/v1/audio/clone', headers = {} } = {},
) {
  const { type, body } = formOf(parts)
  return on.json<Body>(route, { key, rawBody: body, headers: { 'content-type': type, ...headers } })
}
const fieldsOf = (name: string): Part[] => [
  ['name', name],
  ['consent', 'true'],
]
const cloneOf = (recording: Buffer, options?: Parameters<typeof clone>[1]) =>
  clone([...fieldsOf('Sita'), ['language', 'en-US'], ['samples', recording]], options)

const blobFolder = () => path.join(server.context.settings.dataDirectory, 'blobs/voices')
const listBlobs = async (): Promise<string[]> =>
  (await readdir(blobFolder(), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
const listRows = () => server.context.database.selectFrom('voices').selectAll().execute()

function pitchOf(samples: Int16Array, sampleRateHz: number): number {
  const resampler = createFloatResampler({ fromHz: sampleRateHz, toHz: ANALYSIS_RATE_HZ })
  const parts = [resampler.push(int16ToFloat32(samples)), resampler.flush()]
  return measureVoice(Float32Array.from(parts.flatMap((part) => [...part]))).pitchHz
}
const pitchOfWav = (wav: Uint8Array): number => {
  const { samples, format } = decodeWav(wav)
  return pitchOf(samples, format.sampleRateHz)
}
const stream = (voice: string, { key = owner.key, on = server, language = 'en-US', input = TEXT } = {}) =>
  on.fetch('/v1/audio/stream', { key, body: { model: 'stream-tts', input, voice, language } })
const synthesize = (voice: string, body: object = {}) =>
  server.fetch('/v1/engine/synthesize', {
    key: owner.key,
    body: { model: 'synth-v1', text: TEXT, voice, ...body },
  })
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

/** That of telephones; `decodeAudio` has its own tests for each. */
const formats = thorough<readonly RecordingFormat[]>({ usual: ['m4a'], long: RECORDING_FORMATS })

describe('a clone', () => {
  test('speaks like its speaker in streams and in files, in every language', async () => {
    const { status, body } = await cloneOf(man)
    expect(status).toBe(201)
    expect(body).toEqual({
      voice_id: expect.stringMatching(/^vox_/),
      livemode: false,
      name: 'Sita',
      language: 'en-US',
      kind: 'parametric',
      status: 'ready',
      created_at: expect.any(String),
    })
    const other = (await cloneOf(woman, { route: '/v1/engine/clone' })).body
    for (const [voice, recording] of [
      [body.voice_id, man],
      [other.voice_id, woman],
    ] as const) {
      const wanted = pitchOfWav(recording)
      const streamed = await stream(voice)
      expect(JSON.parse(streamed.headers.get('x-stream-descriptor') ?? '')).toMatchObject({ voice })
      const samples = new Int16Array((await bytesOf(streamed)).buffer)
      expect(Math.abs(pitchOf(samples, 16_000) / wanted - 1)).toBeLessThan(0.06)
      const file = await synthesize(voice)
      expect(file.status).toBe(200)
      expect(Math.abs(pitchOfWav(await bytesOf(file)) / wanted - 1)).toBeLessThan(0.06)
      const nepali = { language: 'ne-NP', text: 'नमस्ते, तपाईंलाई कस्तो छ? आज मौसम निकै राम्रो छ।' }
      expect(Math.abs(pitchOfWav(await bytesOf(await synthesize(voice, nepali))) / wanted - 1)).toBeLessThan(
        0.1,
      )
    }
    expect((await stream(body.voice_id, { language: 'tlh' })).status).toBe(400)
  })

  test.each(formats)('is made of %s', { tags: 'ffmpeg' }, async (format) => {
    const recording = await encodeRecording(man, format)
    const { status, body } = await cloneOf(recording)
    expect(status).toBe(201)
    const pitch = pitchOfWav(await bytesOf(await synthesize(body.voice_id)))
    expect(Math.abs(pitch / pitchOfWav(man) - 1)).toBeLessThan(0.06)
  })

  test('keeps its recordings sealed, and who confirmed the consent', async () => {
    const before = await listBlobs()
    const { body } = await clone([...fieldsOf('Two'), ['samples', man], ['samples', man]])
    const added = (await listBlobs()).filter((file) => !before.includes(file))
    expect(added).toHaveLength(2)
    for (const file of added) expect((await readFile(file)).includes(man.subarray(0, 12))).toBe(false)
    const [row] = (await listRows()).filter(({ voice_id }) => voice_id === body.voice_id)
    expect(row).toMatchObject({
      state: 'ready',
      recordings: 2,
      consent_key_id: expect.stringMatching(/^key_/),
    })
    expect(row?.consented_at).toBeInstanceOf(Date)
    expect(row?.voice?.toString()).not.toContain('pitchSemitones')
  })

  test('is made once per idempotency key', async () => {
    const headers = { 'idempotency-key': 'voice-once' }
    const first = await cloneOf(man, { headers })
    const again = await cloneOf(man, { headers })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await cloneOf(woman, { headers })).status).toBe(409)
    // The stored answer names the voice.
    await server.fetch(`/v1/voices/${first.body.voice_id}`, { key: owner.key, method: 'DELETE' })
    expect((await cloneOf(man, { headers })).body).toEqual({ ...first.body, name: '', language: null })
  })
})

describe('a refusal', () => {
  const short = encodeWav(new Int16Array(16_000), { sampleRateHz: 16_000 })
  const cases: [string, readonly Part[], object][] = [
    [
      'without consent',
      [
        ['name', 'Sita'],
        ['samples', Buffer.from('a')],
      ],
      { param: 'consent' },
    ],
    [
      'with refused consent',
      [
        ['name', 'Sita'],
        ['consent', 'false'],
      ],
      { param: 'consent' },
    ],
    [
      'without a name',
      [
        ['consent', 'true'],
        ['samples', Buffer.from('a')],
      ],
      { param: 'name' },
    ],
    ['without recordings', fieldsOf('Sita'), { param: 'samples' }],
    ['with text as a recording', [...fieldsOf('Sita'), ['samples', 'text']], { param: 'samples' }],
    ['with an unknown part', [...fieldsOf('Sita'), ['style', 'calm']], { param: 'style' }],
    ['with two names', [...fieldsOf('Sita'), ['name', 'Gita']], { param: 'name' }],
    ['with a language that is none', [...fieldsOf('Sita'), ['language', '-']], { param: 'language' }],
    [
      'with six recordings',
      [...fieldsOf('Sita'), ...Array.from({ length: 6 }, (): Part => ['samples', Buffer.from('a')])],
      { param: 'samples' },
    ],
  ]
  test.each(cases)('%s names the part', async (_, parts, error) => {
    const { status, body } = await clone<Refusal>(parts)
    expect([status, body.error]).toMatchObject([400, { code: 'invalid_request', ...error }])
  })

  test('of a form that breaks off in a recording is 400', async () => {
    const head = '--x\r\nContent-Disposition: form-data; name='
    const body = `${head}"name"\r\n\r\nG\r\n${head}"samples"; filename="a"\r\n\r\nRIFF`
    const answer = await fetch(`${server.url}/v1/audio/clone`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${(await server.createAccount({ tier: 'pro' })).key}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body,
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
  })

  test('names each recording that cannot be used, with the reason, and stores nothing', async () => {
    const [rows, blobs] = [await listRows(), await listBlobs()]
    const unreadable = await clone<Refusal>([
      ...fieldsOf('Sita'),
      ['samples', man],
      ['samples', Buffer.from('text')],
    ])
    expect([unreadable.status, unreadable.body.error]).toMatchObject([
      422,
      {
        code: 'media_unreadable',
        param: 'samples.1',
        details: [{ param: 'samples.1', reason: 'unknown_type' }],
      },
    ])
    const bad = await clone<Refusal>([...fieldsOf('Sita'), ['samples', Buffer.from(short)], ['samples', man]])
    expect(bad.body.error.details?.map(({ param, reason }) => `${param} ${reason}`)).toContain(
      'samples.0 too_short',
    )
    const two = await clone<Refusal>([...fieldsOf('Sita'), ['samples', man], ['samples', woman]])
    expect(two.body.error.details).toMatchObject([{ param: 'samples.1', reason: 'other_speaker' }])
    expect([await listRows(), await listBlobs()]).toEqual([rows, blobs])
    expect(await readdir(server.context.identity.intakeDirectory)).toEqual([])
  })

  test('of an account whose tier has no voices is 403, and beyond five a day 429', async () => {
    const starter = await server.createAccount({ tier: 'starter' })
    expect((await cloneOf(man, { key: starter.key })).status).toBe(403)
    const pro = await server.createAccount({ tier: 'pro' })
    const first = await cloneOf(man, { key: pro.key })
    expect(first.status).toBe(201)
    expect(first.headers.get('ratelimit-policy')).toContain('"voice_cloning";q=5;w=86400')
    const { key } = await server.createAccount({
      tier: 'pro',
      rateOverrides: { voice_cloning: { limit: 1, period_seconds: 86_400 } },
    })
    expect((await cloneOf(man, { key })).status).toBe(201)
    const second = await cloneOf(man, { key })
    expect(second.status).toBe(429)
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(80_000)
  })
})

describe('the five a day', () => {
  const remainingIn = ({ headers }: { headers: Headers }) =>
    /"voice_cloning";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  const refused = (key: string) =>
    clone<Refusal>([...fieldsOf('Sita'), ['samples', Buffer.from('text')]], { key })

  test('are voices: a refused recording and a missing name use none up', async () => {
    const { key } = await server.createAccount({ tier: 'pro' })
    const nameless = await clone<Refusal>([['samples', man]], { key })
    expect([nameless.status, remainingIn(nameless)]).toEqual([400, '5'])
    const unreadable = await refused(key)
    expect([unreadable.status, remainingIn(unreadable)]).toEqual([422, '5'])
    expect(remainingIn(await cloneOf(man, { key }))).toBe('4')
  })

  test('are used up by refusals beyond ten for each, because looking at a recording is work, too', async () => {
    const { key } = await server.createAccount({
      rateOverrides: { voice_cloning: { limit: 1, period_seconds: 86_400 } },
    })
    for (let count = 0; count < 10; count++) expect((await refused(key)).status).toBe(422)
    const eleventh = await refused(key)
    expect([eleventh.status, remainingIn(eleventh)]).toEqual([422, '0'])
    expect((await refused(key)).status).toBe(429)
  })
})

describe('a voice', () => {
  test('is one of at most a hundred', async () => {
    const { accountId, key } = await server.createAccount({ rateOverrides: UNLIMITED })
    const { database, makeId } = server.context
    const row = { account_id: accountId, livemode: false, name: 'Sita', language: null, recordings: 1 }
    const ready = { state: 'ready' as const, data_key: Buffer.from('sealed'), voice: Buffer.from('sealed') }
    const times = { consent_key_id: makeId('key'), consented_at: new Date(), created_at: new Date() }
    const rows = Array.from({ length: 99 }, () => ({ ...row, ...ready, ...times, voice_id: makeId('voice') }))
    await database.insertInto('voices').values(rows).execute()
    const answers = await Promise.all([cloneOf(man, { key }), cloneOf(man, { key })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await cloneOf(man, { key })).body).toMatchObject({ error: { code: 'state_conflict' } })
  })

  test('belongs to its account and mode', async () => {
    const { voice_id: voice } = (await cloneOf(man)).body
    const keys = [(await server.createAccount()).key, await server.createKey(owner.accountId, true)]
    for (const key of keys) {
      expect((await stream(voice, { key })).status).toBe(422)
      expect((await server.fetch(`/v1/voices/${voice}`, { key, method: 'DELETE' })).status).toBe(404)
      expect((await server.json<{ data: Voice[] }>('/v1/voices', { key })).body.data).toEqual([])
    }
    expect((await stream(voice)).status).toBe(200)
  })

  test('is listed page by page, and erased with its recordings', async () => {
    const { accountId, key } = await server.createAccount({ rateOverrides: UNLIMITED })
    const made: string[] = []
    for (let count = 0; count < 3; count++) made.unshift((await cloneOf(woman, { key })).body.voice_id)
    interface Page {
      data: Voice[]
      has_more: boolean
      next_cursor: string | null
    }
    const first = await server.json<Page>('/v1/voices?limit=2', { key })
    expect(first.body).toMatchObject({
      data: made.slice(0, 2).map((voice_id) => ({ voice_id })),
      has_more: true,
    })
    const rest = await server.json<Page>(`/v1/voices?limit=2&cursor=${first.body.next_cursor}`, { key })
    expect(rest.body).toMatchObject({ data: [{ voice_id: made[2] }], has_more: false, next_cursor: null })

    for (const voice of made) {
      const erased = await server.fetch(`/v1/voices/${voice}`, { key, method: 'DELETE' })
      expect([erased.status, await erased.text()]).toEqual([204, ''])
      const refused = await stream(voice, { key })
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { error: { code: 'voice_not_found', param: 'voice' } },
      ])
      expect((await server.fetch(`/v1/voices/${voice}`, { key, method: 'DELETE' })).status).toBe(404)
    }
    expect((await server.json<Page>('/v1/voices', { key })).body.data).toEqual([])
    expect((await listRows()).filter((row) => row.account_id === accountId)).toEqual([])
    expect((await listBlobs()).filter((file) => made.some((voice) => file.includes(voice)))).toEqual([])
  })

  test('whose recordings a crash has left is erased by the sweep', async () => {
    const { blobs, database, makeId, clock } = server.context
    const rows = [
      {
        state: 'storing' as const,
        data_key: Buffer.from('sealed'),
        created_at: new Date(clock.nowMs() - 7_200_000),
      },
      { state: 'storing' as const, data_key: Buffer.from('sealed'), created_at: new Date(clock.nowMs()) },
      { state: 'erased' as const, data_key: null, created_at: new Date(clock.nowMs()) },
    ].map((row) => ({
      ...row,
      voice_id: makeId('voice'),
      account_id: owner.accountId,
      livemode: false,
      name: 'Sita',
      language: null,
      voice: null,
      recordings: 1,
      consent_key_id: makeId('key'),
      consented_at: row.created_at,
    }))
    await database.insertInto('voices').values(rows).execute()
    for (const { voice_id } of rows)
      await blobs.put(`voices/${voice_id}/0`, Buffer.from('sealed'), { maxBytes: 10 })
    await server.context.voices.sweep()
    await server.context.voices.sweep()
    const left = (await listRows()).map(({ voice_id }) => voice_id)
    expect(rows.map(({ voice_id }) => left.includes(voice_id))).toEqual([false, true, false])
    const files = await listBlobs()
    expect(rows.map(({ voice_id }) => files.some((file) => file.includes(voice_id)))).toEqual([
      false,
      true,
      false,
    ])
  })

  test('speaks on every process at once, and is silent on every process at once', async () => {
    await using second = await startTestServer({
      key: server.key,
      config: {
        databaseUrl: server.databaseUrl,
        dataDirectory: server.context.settings.dataDirectory,
        roles: new Set(['api']),
      },
    })
    const { voice_id: voice } = (await cloneOf(man)).body
    expect((await stream(voice, { on: second })).status).toBe(200)
    expect((await second.fetch(`/v1/voices/${voice}`, { key: owner.key, method: 'DELETE' })).status).toBe(204)
    for (const on of [server, second]) expect((await stream(voice, { on })).status).toBe(422)
  })

  test('is that of an agent, whose calls end as failed once it is erased', async () => {
    const { voice_id: voice } = (await cloneOf(woman)).body
    const agent = { name: 'Sita', language: 'en-US', greeting: TEXT, translations: {} }
    const put = (body: object) =>
      server.fetch('/admin/agents/sita', { key: owner.key, method: 'PUT', body: { ...agent, ...body } })
    expect((await put({ voice: 'vox_00000000000000000000000000' })).status).toBe(422)
    expect((await put({ voice })).status).toBe(200)
    const call = async () => {
      const { body } = await server.json<{ call_id: string }>('/agent/calls', {
        key: owner.key,
        body: { to: '+9779812345678', agent_id: 'sita', language: 'en-US' },
      })
      const read = () =>
        server.json<{ status: string; failure_reason?: string }>(`/agent/calls/${body.call_id}`, {
          key: owner.key,
        })
      await expect
        .poll(async () => (await read()).body.status, { timeout: 300_000 })
        .toMatch(/completed|failed/)
      return { ...(await read()).body, call_id: body.call_id }
    }
    const { call_id, status } = await call()
    expect(status).toBe('completed')
    const recording = await server.fetch(`/agent/calls/${call_id}/recording`, { key: owner.key })
    expect(Math.abs(pitchOfWav(await bytesOf(recording)) / pitchOfWav(woman) - 1)).toBeLessThan(0.06)
    await server.fetch(`/v1/voices/${voice}`, { key: owner.key, method: 'DELETE' })
    expect(await call()).toMatchObject({ status: 'failed', failure_reason: 'agent-error' })
  })
})
