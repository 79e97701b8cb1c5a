import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Id, LIMITS, RATE_LIMITS, type WatermarkDetection } from '@vaani/contracts'
import { decodeWav, encodeWav, f32le, s16le } from '@vaani/pcm-audio'
import { systemClock } from '@vaani/service-kit/clock'
import { runTool } from '@vaani/test-services/run-tool'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formOf, type Part } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const PATH = '/v1/engine/watermark/detect'
const SENTENCE = 'Your appointment with the doctor has been moved to Thursday morning.'
/** For what a codec or a line changes. */
const TEXT = `${SENTENCE} Please bring the letter from the clinic.`
const DAY_MS = 86_400_000

const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms }
let server: TestServer
let accountId: Id<'account'>
let key: string
beforeAll(async () => {
  server = await startTestServer({ clock, config: { watermarkRetentionDays: 30 } })
  ;({ accountId, key } = await server.createAccount({ tier: 'enterprise' }))
})
afterAll(() => server[Symbol.asyncDispose]())

/** Makes a file; returns it with the id of its request. */
async function speak(body: object = {}, request: { on?: TestServer; key?: string; headers?: object } = {}) {
  const { on = server, key: as = key, headers = {} } = request
  const response = await on.fetch('/v1/engine/synthesize', {
    key: as,
    headers: { ...headers },
    body: { model: 'synth-v1', text: SENTENCE, ...body },
  })
  expect(response.status).toBe(200)
  return {
    file: Buffer.from(await response.arrayBuffer()),
    requestId: response.headers.get('x-request-id'),
    descriptor: JSON.parse(response.headers.get('x-synthesis-descriptor') ?? ''),
  }
}

function detect(
  parts: readonly Part[] | Buffer,
  request: { on?: TestServer; key?: string; headers?: object } = {},
) {
  const { on = server, key: as = key, headers = {} } = request
  const { type, body } = formOf(Buffer.isBuffer(parts) ? [['audio', parts]] : parts)
  return on.json<WatermarkDetection>(PATH, {
    key: as,
    rawBody: body,
    headers: { 'content-type': type, ...headers },
  })
}

const wavOf = (samples: Int16Array | Float32Array, sampleRateHz: number): Buffer =>
  Buffer.from(encodeWav(samples, { sampleRateHz, format: samples instanceof Int16Array ? s16le : f32le }))
const randomMp3 = (): Buffer => Buffer.concat([Buffer.from('ID3\u0004\u0000'), randomBytes(50_000)])

const FOUND = { detected: true, payload_read: true, speed: 1 }
const HIDDEN = { request_id: null, created_at: null }

describe('a marked file', () => {
  test('leads to its request', async () => {
    const { file, requestId, descriptor } = await speak({ text: TEXT })
    expect(descriptor.watermark).toBe(true)
    const { status, body } = await detect(file)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...FOUND,
      false_alarm_probability: expect.toSatisfy((probability: number) => probability < 1e-20),
      request_id: requestId,
      created_at: new Date(clock.ms).toISOString(),
      duration_seconds: descriptor.duration_seconds,
    })
  })

  test.each([
    ['mp3', 16_000, 'synth-l1'],
    ['ogg', 44_100, 'synth-v1'],
  ])('leads to it in %s at %i Hz of %s', { tags: 'ffmpeg' }, async (format, sample_rate, model) => {
    const { file, requestId } = await speak({ text: TEXT, format, sample_rate, model })
    expect((await detect(file)).body).toMatchObject({ ...FOUND, request_id: requestId })
  })

  test('leads to it after a phone line, and at another speed', { tags: 'ffmpeg' }, async () => {
    const { file, requestId } = await speak({ text: TEXT.repeat(2) })
    const changes = [
      '-ar 8000 -c:a pcm_mulaw -f wav',
      '-af atempo=1.03 -f wav',
      '-af volume=-12dB -b:a 64k -f mp3',
    ]
    for (const change of changes.slice(0, thorough({ usual: 2, long: 3 }))) {
      const { body } = await detect(runTool('ffmpeg', ['-i', '-', ...change.split(' '), '-'], file))
      expect(body).toMatchObject({ detected: true, request_id: requestId })
    }
  })

  test('is detected by everybody, but leads only its own account and mode to the request', async () => {
    const { file } = await speak()
    const other = await server.createAccount()
    const live = await server.createKey(accountId, true)
    for (const stranger of [other.key, live])
      expect((await detect(file, { key: stranger })).body).toMatchObject({ ...FOUND, ...HIDDEN })
    const spoken = await speak({}, { key: live })
    expect((await detect(spoken.file, { key: live })).body).toMatchObject({ request_id: spoken.requestId })
    expect((await detect(spoken.file)).body).toMatchObject({ ...FOUND, ...HIDDEN })
  })

  test('of a repeated request is the same, and leads to the last one that was answered', async () => {
    const headers = { 'idempotency-key': 'watermarked' }
    const first = await speak({}, { headers })
    const second = await speak({}, { headers })
    expect(second.file.equals(first.file)).toBe(true)
    expect((await detect(first.file)).body.request_id).toBe(second.requestId)
    const { key: other } = await server.createAccount()
    const others = await speak({}, { headers, key: other })
    expect(others.file.equals(first.file)).toBe(false)
    expect((await detect(first.file)).body.request_id).toBe(second.requestId)
  })

  test('leads nowhere if too little of it is left', async () => {
    const { samples } = decodeWav((await speak()).file)
    const { body } = await detect(wavOf(samples.subarray(11_025, 12_000), 22_050))
    expect(body).toMatchObject({ detected: false, payload_read: false, ...HIDDEN })
  })
})

test('a file without a watermark is not detected, and leaves no row', async () => {
  const rows = () => server.context.database.selectFrom('watermarks').selectAll().execute()
  const before = (await rows()).length
  const { file, descriptor } = await speak({ enable_watermark: false })
  expect(descriptor.watermark).toBe(false)
  expect(await rows()).toHaveLength(before)
  const { body } = await detect(file)
  expect(body).toMatchObject({ detected: false, payload_read: false, ...HIDDEN })
  expect(body.false_alarm_probability).toBeGreaterThan(1e-4)
})

test('another payload is taken if one is assigned', async () => {
  // The payload of a request with a key is known, so it can be assigned to another account before.
  const headers = { 'idempotency-key': 'assigned' }
  const { file } = await speak({}, { headers })
  const other = await server.createAccount()
  await server.context.database
    .updateTable('watermarks')
    .set({ account_id: other.accountId })
    .where('created_at', '=', (select) =>
      select.selectFrom('watermarks').select((all) => all.fn.max('created_at').as('last')),
    )
    .execute()
  const again = await speak({}, { headers })
  expect(again.file.equals(file)).toBe(false)
  expect((await detect(again.file)).body.request_id).toBe(again.requestId)
})

test('after the retention a mark is still detected, but leads nowhere', async () => {
  const old = await speak()
  clock.ms += 29 * DAY_MS
  const young = await speak()
  await server.context.sweep()
  expect((await detect(old.file)).body.request_id).toBe(old.requestId)
  clock.ms += 2 * DAY_MS
  await server.context.sweep()
  expect((await detect(old.file)).body).toMatchObject({ ...FOUND, ...HIDDEN })
  expect((await detect(young.file)).body.request_id).toBe(young.requestId)
})

test('marks of former encryption keys are found while those are configured', async () => {
  const [former, current] = [randomBytes(32), randomBytes(32)]
  await using before = await startTestServer({ config: { encryptionKeys: [former] } })
  const shared = { databaseUrl: before.databaseUrl }
  const { file, requestId } = await speak({}, { on: before, key: before.key })
  await using rotated = await startTestServer({
    config: { ...shared, encryptionKeys: [current, former] },
    key: before.key,
  })
  expect((await detect(file, { on: rotated, key: before.key })).body).toMatchObject({
    ...FOUND,
    request_id: requestId,
  })
  const renewed = await speak({}, { on: rotated, key: before.key })
  expect((await detect(renewed.file, { on: before, key: before.key })).body.detected).toBe(false)
})

describe('a recording is refused', () => {
  const wav = wavOf(new Int16Array(22_050), 22_050)
  const long = wavOf(new Int16Array((LIMITS.watermarkAudioSeconds + 1) * 1000), 1000)
  const numberless = wavOf(new Float32Array(9000).fill(Number.NaN), 16_000)
  test.each<[string, Part[], number, string, string | null]>([
    ['that is missing', [], 400, 'invalid_request', 'audio'],
    ['that is text', [['audio', 'RIFF']], 400, 'invalid_request', 'audio'],
    [
      'that is sent twice',
      [
        ['audio', wav],
        ['audio', wav],
      ],
      400,
      'invalid_request',
      'audio',
    ],
    ['under another name', [['file', wav]], 400, 'invalid_request', 'file'],
    [
      'beside a field',
      [
        ['language', 'en'],
        ['audio', wav],
      ],
      400,
      'invalid_request',
      'language',
    ],
    ['that is empty', [['audio', Buffer.alloc(0)]], 422, 'media_unreadable', 'audio'],
    ['that is a picture', [['audio', Buffer.from('GIF89a')]], 422, 'media_unreadable', 'audio'],
    ['that breaks off', [['audio', wav.subarray(0, 9000)]], 422, 'media_unreadable', 'audio'],
    ['that is too long', [['audio', long]], 422, 'media_unreadable', 'audio'],
    ['without numbers', [['audio', numberless]], 422, 'media_unreadable', 'audio'],
    ['that is an MP3 in name only', [['audio', randomMp3()]], 422, 'media_unreadable', 'audio'],
    [
      'that is too large',
      [['audio', Buffer.alloc(LIMITS.watermarkAudioBytes + 1)]],
      413,
      'payload_too_large',
      'audio',
    ],
  ])('%s', async (_, parts, status, code, param) => {
    expect(await detect(parts)).toMatchObject({ status, body: { error: { code, param } } })
    // Nothing of it stays.
    const unsealed = path.join(server.context.settings.dataDirectory, 'unsealed')
    const files = await readdir(unsealed, { recursive: true, withFileTypes: true })
    expect(files.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))).toEqual([])
  })

  test('as another type, without the scope, and beyond the rate', async () => {
    const json = await server.json(PATH, { key, body: { audio: 'UklGRg==' } })
    expect(json).toMatchObject({ status: 415, body: { error: { code: 'unsupported_media_type' } } })
    const { key: reader } = await server.createAccount({}, ['calls:read'])
    expect(await detect(wav, { key: reader })).toMatchObject({ status: 403 })
    const { key: starter } = await server.createAccount({ tier: 'starter' })
    const { limit } = RATE_LIMITS.watermark_detection.rates.starter
    const { headers } = await detect(wav, { key: starter })
    expect(headers.get('ratelimit-policy')).toContain(`"watermark_detection";q=${limit};w=60`)
  })
})
