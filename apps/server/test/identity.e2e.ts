import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Id, Verification, WebhookEndpoint } from '@vaani/contracts'
import { startReceiver } from '@vaani/test-harness'
import { createVerifier, sign } from '@vaani/webhook-verifier'
import { sql } from 'kysely'
import sharp from 'sharp'
import { makeVideo, runTool } from '@vaani/test-services/run-tool'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeMedia, makePassport } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { untilDecided } from './support/until-decided.ts'

const specimen = (name: string) =>
  readFile(path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens', name))

let server: TestServer
let folder: string
let key: string
let accountId: Id<'account'>
let image: Buffer
let video: Buffer
let shortVideo: Buffer
let passport: Buffer

function recordVideo(name: string, seconds: number): Promise<Buffer> {
  const file = path.join(folder, name)
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=320x240:rate=15:duration=${seconds}`]
  makeVideo(file, source)
  return readFile(file)
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-identity-'))
  ;[{ image, video }, shortVideo, passport] = await Promise.all([
    makeMedia(),
    recordVideo('short.mp4', 1),
    makePassport(),
  ])
  server = await startTestServer({
    config: {
      callbackAllowCidrs: ['127.0.0.0/8'],
      identityPolicy: 'document-only',
      v1End: { sunset: new Date('2027-06-30'), guideUrl: 'https://docs.example.com/kyc' },
    },
  })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  ;({ key, accountId } = await server.createAccount())
})

const api = <Body>(route: string, body?: object, method?: string) =>
  server.json<Body>(route, { key, ...(body && { body }), ...(method && { method }) })
const base64 = (bytes: Buffer) => bytes.toString('base64')
const media = () => ({ front_image_b64: base64(image), liveness_video_b64: base64(video) })
const submit = (more: object = {}) => api<Verification>('/identity/kyc/v2', { ...media(), ...more })
/** Submits a document that can be read, which takes longer to check. */
const submitPassport = (more: object = {}) => submit({ front_image_b64: base64(passport), ...more })
const refused = (more: object) =>
  api<{ error: { code: string; param: string; message: string } }>('/identity/kyc/v2', {
    ...media(),
    ...more,
  })
const read = async (id: string, query = '') =>
  (await api<Verification>(`/identity/verifications/${id}${query}`)).body
const decidedOf = (id: string) =>
  untilDecided(async (route) => (await api<{ data: Verification[] }>(route)).body, id)
/** Returns the sizes of the media that is stored for a verification. */
async function artifactsOf(id: string) {
  const { artifacts } = await server.context.database
    .selectFrom('verifications')
    .where('verification_id', '=', id)
    .select('artifacts')
    .executeTakeFirstOrThrow()
  return Object.fromEntries(artifacts.map(({ name, bytes }) => [name, bytes]))
}
const leftovers = async () => readdir(server.context.identity.intakeDirectory)

describe('identity', { tags: 'ffmpeg' }, () => {
  test('a submission is accepted, checked and decided, and extracted data is returned only on request', async () => {
    const submitted = await submitPassport({ external_id: 'user-1' })
    expect(submitted).toMatchObject({
      status: 200,
      body: {
        status: 'pending',
        decision: 'pending',
        extracted: null,
        external_id: 'user-1',
        livemode: false,
      },
    })
    const id = submitted.body.verification_id
    const decided = await decidedOf(id)
    expect(decided).toMatchObject({ status: 'approved', decision: 'approved', reasons: [] })
    expect(decided.scores).toMatchObject({
      document_quality: 1,
      recapture: expect.any(Number),
      mrz_checks: expect.any(Number),
      liveness: null,
    })
    expect(decided.model_used).toContain('ocr-b/1')
    expect(decided.model_used).toContain('policy:document-only')
    expect(decided.extracted).toBeUndefined()
    const withExtracted = await read(id, '?include_media=extracted')
    expect(withExtracted.extracted).toMatchObject({
      full_name: 'ANNA MARIA ERIKSSON',
      document_number: 'L898902C3',
      date_of_birth: '1974-08-12',
      mrz: { format: 'TD3', valid: true },
    })
    expect(await leftovers()).toEqual([])
  })

  test('a blank picture, and a score that an earlier version stored, break no read and no list', async () => {
    const blank = path.join(folder, 'blank.png')
    runTool('ffmpeg', `-y -f lavfi -i color=white:s=800x600 -frames:v 1 ${blank}`.split(' '))
    const submitted = await submit({
      front_image_b64: base64(await readFile(blank)),
      external_id: thorough({ usual: 'test_review_glare', long: 'blank' }),
    })
    expect(submitted).toMatchObject({ status: 200, body: { scores: { recapture: 1 } } })
    const id = submitted.body.verification_id
    expect(await decidedOf(id)).toMatchObject({ status: 'review', scores: { recapture: 1 } })
    const stored = {
      check: 'document_recapture',
      outcome: 'passed',
      code: 'no_moire',
      score: 1.083,
      evidence: {},
    }
    await server.context.database
      .updateTable('verifications')
      .set({ checks: JSON.stringify([{ ...stored, model: 'moire-peaks/1' }]) })
      .where('verification_id', '=', id)
      .execute()
    expect(await read(id)).toMatchObject({ status: 'review', scores: { recapture: 1 } })
    expect((await api<{ data: Verification[] }>('/identity/verifications')).body.data).toHaveLength(1)
  })

  test('version 1 results in the same record as version 2', async () => {
    const external_id = thorough({ usual: 'test_review_glare:user-2', long: 'user-2' })
    const back = await specimen('card-back.jpg')
    const form = new FormData()
    for (const [name, bytes] of Object.entries({
      front_image: passport,
      back_image: back,
      liveness_video: video,
    }))
      form.append(name, new Blob([new Uint8Array(bytes)]), 'any.bin')
    form.append('external_id', external_id)
    const response = await fetch(`${server.url}/identity/kyc/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(response.headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT')
    expect(response.headers.get('link')).toBe('<https://docs.example.com/kyc>; rel="deprecation sunset"')
    const submitted = (await response.json()) as Verification
    expect(submitted).toMatchObject({ status: 'pending', extracted: null })
    const first = await decidedOf(submitted.verification_id)
    const second = await decidedOf(
      (await submitPassport({ external_id, back_image_b64: base64(back) })).body.verification_id,
    )
    const same = ({ verification_id: _, created_at: __, decided_at: ___, ...rest }: Verification) => rest
    expect(same(first)).toEqual(same(second))
    expect(await artifactsOf(first.verification_id)).toEqual(await artifactsOf(second.verification_id))
    const subject = `/identity/subjects/${encodeURIComponent(external_id)}`
    const { body } = await api<{ data: Verification[] }>(subject)
    expect(body.data.map(({ verification_id }) => verification_id)).toEqual([
      second.verification_id,
      first.verification_id,
    ])
  })

  test.each([
    ['front_image_b64', undefined, 400, 'missing_artifact'],
    ['front_image_b64', '', 400, 'missing_artifact'],
    ['liveness_video_b64', undefined, 400, 'missing_artifact'],
    ['front_image_b64', 'not base64!', 400, 'invalid_request'],
    ['front_image_b64', `data:image/jpeg;base64,${'A'.repeat(40)}`, 400, 'invalid_request'],
    ['front_image_b64', 'QUJD\nQUJD', 400, 'invalid_request'],
    ['front_image_b64', 'QUJDR', 400, 'invalid_request'],
    ['front_image_b64', 'QUJ=QUJD', 400, 'invalid_request'],
    ['front_image_b64', 7, 400, 'missing_artifact'],
    ['front_image', 'QUJD', 400, 'invalid_request'],
    ['callback_url', 'http://example.com/', 400, 'invalid_request'],
    ['callback_url', 'https://10.0.0.1/', 400, 'invalid_request'],
    ['options', { store_media: 'no' }, 400, 'invalid_request'],
  ])('%s of %j is rejected with %i %s, and leaves nothing', async (field, value, status, code) => {
    const answer = await refused({ [field]: value })
    expect(answer).toMatchObject({ status, body: { error: { code } } })
    expect(answer.body.error.param).toContain(field.split('_')[0])
    expect(await leftovers()).toEqual([])
    expect((await api<{ data: [] }>('/identity/verifications')).body.data).toEqual([])
  })

  test('optional fields may be null, and pictures HEIC', async () => {
    const heic = path.resolve(
      import.meta.dirname,
      '../../../packages/identity-checks/src/image/passport.heic',
    )
    const nothing = {
      external_id: null,
      callback_url: null,
      reference_portrait_b64: null,
      back_image_b64: null,
    }
    const { status, body } = await submit({ ...nothing, options: null })
    expect([status, body.external_id]).toEqual([200, null])
    await decidedOf(body.verification_id)
    const front_image_b64 = base64(await readFile(heic))
    const inOptions = { external_id: 'test_pending_forever', options: { store_media: null } }
    expect((await submit({ ...inOptions, front_image_b64 })).status).toBe(200)
  })

  test('media that is damaged, of the wrong type, too short or a recapture is rejected with its field name', async () => {
    const cases = [
      {
        front_image_b64: base64(passport.subarray(0, 20_000)),
        code: 'media_unreadable',
        param: 'front_image',
      },
      { front_image_b64: base64(Buffer.from('<svg/>')), code: 'media_unreadable', param: 'front_image' },
      {
        front_image_b64: base64(Buffer.from('....ftypheic....')),
        code: 'media_unreadable',
        param: 'front_image',
      },
      { liveness_video_b64: base64(shortVideo), code: 'media_unreadable', param: 'liveness_video' },
      { liveness_video_b64: base64(passport), code: 'media_unreadable', param: 'liveness_video' },
      {
        front_image_b64: base64(await specimen('passport-on-screen.jpg')),
        code: 'spoof_detected',
        param: 'front_image',
      },
      {
        back_image_b64: base64(await specimen('passport-on-screen.jpg')),
        code: 'spoof_detected',
        param: 'back_image',
      },
      { external_id: 'test_spoof', code: 'spoof_detected', param: 'front_image' },
    ]
    for (const { code, param, ...more } of cases)
      expect(await refused(more)).toMatchObject({ status: 422, body: { error: { code, param } } })
    expect(await leftovers()).toEqual([])
  })

  test('a recapture is rejected however many are sent at once', async () => {
    const screen = base64(await specimen('passport-on-screen.jpg'))
    const sent = Array.from({ length: thorough({ usual: 4, long: 6 }) }, (_, index) =>
      refused(index % 2 === 0 ? { front_image_b64: screen } : { back_image_b64: screen }),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses).toEqual(sent.map(() => 422))
  })

  test('a body that is too large is rejected before it is read whole', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(Buffer.from(`{"front_image_b64":"${base64(passport)}","liveness_video_b64":"`)),
      pull(controller) {
        sent += 1_000_000
        controller.enqueue(Buffer.alloc(1_000_000, 'A'))
        if (sent > 90_000_000) controller.close()
      },
    })
    const answer = await fetch(`${server.url}/identity/kyc/v2`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({
      error: { code: 'payload_too_large', param: 'liveness_video_b64' },
    })
    expect(sent).toBeLessThan(80_000_000)
    expect(await leftovers()).toEqual([])
  })

  test('an aborted upload leaves nothing', async () => {
    const abort = new AbortController()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(`{"front_image_b64":"${base64(passport)}`)),
      async pull() {
        await until(leftovers, (names) => names.length === 1)
        abort.abort()
      },
    })
    await expect(
      fetch(`${server.url}/identity/kyc/v2`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
        duplex: 'half',
        signal: abort.signal,
      } as RequestInit),
    ).rejects.toThrow('')
    await until(leftovers, (names) => names.length === 0)
  })

  test('the sandbox gives each documented outcome, and sends a webhook for the final ones', async () => {
    await using receiver = await startReceiver()
    const { body: secret } = await api<{ secret: string }>('/webhooks/rotate-secret', { overlap_hours: 0 })
    const callback_url = `${receiver.url}/decisions`
    const outcomes = {
      test_approved: { status: 'approved', resubmit: false },
      test_review_glare: { status: 'review', resubmit: true },
      test_review_liveness: { status: 'approved', resubmit: false },
      test_declined_expired: { status: 'declined', resubmit: true },
    }
    for (const [external_id, outcome] of Object.entries(outcomes)) {
      const { body } = await submit({ external_id, callback_url })
      expect(await decidedOf(body.verification_id)).toMatchObject({ ...outcome, livemode: false })
      const named = await submit({ external_id: `${external_id}:person-42` })
      expect(await decidedOf(named.body.verification_id)).toMatchObject(outcome)
    }
    const [approved, alsoApproved, declined] = await until(
      async () => receiver.deliveries,
      (all) => all.length === 3,
    )
    expect([approved?.event.type, alsoApproved?.event.type, declined?.event.type]).toEqual([
      'verification.approved',
      'verification.approved',
      'verification.declined',
    ])
    expect(declined?.event.data).toMatchObject({
      decision: 'declined',
      reasons: [{ code: 'document_expired', retryable: true }],
    })
    const verifier = createVerifier({ secrets: secret.secret })
    expect(await verifier.verify(declined?.body, declined?.headers ?? {})).toMatchObject({ ok: true })
    expect(declined?.body.toString()).not.toContain('extracted')

    const forever = await submit({ external_id: 'test_pending_forever' })
    expect(await read(forever.body.verification_id)).toMatchObject({ status: 'pending' })
  })

  test('sandbox ids have no effect with a live key', async () => {
    key = await server.createKey(accountId, true)
    // Usually of what is no document, which takes less time to check.
    const isDocument = thorough({ usual: false, long: true })
    const submitted = isDocument ? submitPassport : submit
    const { body } = await submitted({ external_id: 'test_declined_expired' })
    expect(await decidedOf(body.verification_id)).toMatchObject({
      status: 'review',
      reasons: isDocument
        ? [{ code: 'document_is_specimen' }]
        : expect.arrayContaining([expect.objectContaining({ code: 'mrz_not_found' })]),
      livemode: true,
    })
  })

  test('each account has its own policy, fixed at submission, and its own retention period', async () => {
    const admin = (body: object, route = `/admin/accounts/${accountId}`) =>
      server.json<{ error?: { param: string } }>(route, { method: 'PATCH', body })
    expect(await admin({ identity_policy: 'constructor' })).toMatchObject({
      status: 400,
      body: { error: { param: 'identity_policy' } },
    })
    expect((await admin({ media_retention_days: -1 })).status).toBe(400)
    const before = (await submit({ external_id: 'test_review_liveness' })).body.verification_id
    expect((await decidedOf(before)).status).toBe('approved')
    expect(await admin({ identity_policy: 'default', media_retention_days: 2 })).toMatchObject({
      status: 200,
      body: { identity_policy: 'default', media_retention_days: 2 },
    })
    const after = (await submit({ external_id: 'test_review_liveness' })).body.verification_id
    expect(await decidedOf(after)).toMatchObject({ status: 'review', resubmit: false })
    expect((await read(before)).status).toBe('approved')
    // An account's own admin cannot choose its policy.
    expect((await api(`/admin/accounts/${accountId}`, { identity_policy: null }, 'PATCH')).status).toBe(403)

    const other = await server.createAccount()
    const others = await server.json<Verification>('/identity/kyc/v2', {
      key: other.key,
      body: { ...media(), external_id: 'test_approved' },
    })
    await until(
      () =>
        server.json<Verification>(`/identity/verifications/${others.body.verification_id}`, {
          key: other.key,
        }),
      ({ body }) => body.status === 'approved',
    )
    const ids = [before, after, others.body.verification_id]
    const erased = async () => {
      const rows = await server.context.database
        .selectFrom('verifications')
        .where('verification_id', 'in', ids)
        .where('media_erased_at', 'is not', null)
        .select('verification_id')
        .execute()
      return rows.map(({ verification_id }) => verification_id).toSorted()
    }
    const age = (days: number) =>
      sql`update verifications set created_at = now() - make_interval(days => ${days}), decided_at =
        case when decided_at is null then null else now() - make_interval(days => ${days}) end
        where verification_id = any(${ids})`.execute(server.context.database)
    await age(1)
    await server.context.identity.erasure.sweep()
    expect(await erased()).toEqual([])
    await age(3)
    await server.context.identity.erasure.sweep()
    // This includes the undecided review.
    expect(await erased()).toEqual([before, after].toSorted())
    await age(31)
    await server.context.identity.erasure.sweep()
    expect(await erased()).toEqual(ids.toSorted())
  })

  test('a review of a verification that is not in review gets 409 and changes nothing', async () => {
    const pending = await submit({ external_id: 'test_pending_forever' })
    const approved = await submit({ external_id: 'test_approved' })
    await decidedOf(approved.body.verification_id)
    for (const { verification_id: id } of [pending.body, approved.body]) {
      const before = await read(id)
      for (const decision of ['approved', 'declined'])
        expect(await api(`/identity/verifications/${id}/review`, { decision })).toMatchObject({
          status: 409,
          body: { error: { code: 'state_conflict' } },
        })
      expect(await read(id)).toEqual(before)
    }
    const events = await server.context.database
      .selectFrom('events')
      .where('object_id', '=', pending.body.verification_id)
      .selectAll()
      .execute()
    expect(events).toEqual([])
  })

  test('a review is decided once and sends the webhook', async () => {
    const { body: endpoint } = await api<WebhookEndpoint>('/webhooks/endpoints', {
      url: 'https://example.com/hooks',
      events: ['verification.approved'],
    })
    const id = (await submit({ external_id: 'test_review_glare' })).body.verification_id
    const inReview = await decidedOf(id)
    expect(inReview.reasons).toMatchObject([
      { code: 'image_glare', next_step: expect.stringContaining('again') },
    ])
    const route = `/identity/verifications/${id}`
    const reconsidered = await api<Verification>(`${route}/reconsider`, { policy: 'default' })
    expect(reconsidered.body).toMatchObject({ decision: 'review', status: 'review' })
    expect((await api(`${route}/reconsider`, { policy: 'constructor' })).status).toBe(400)
    expect(await api(`${route}/review`, { decision: 'approved', note: 'Seen.' })).toMatchObject({
      status: 200,
      body: { status: 'approved' },
    })
    expect((await api(`${route}/review`, { decision: 'declined' })).status).toBe(409)
    const { body } = await until(
      () => api<{ data: { endpoint_id: string }[] }>('/webhooks/deliveries'),
      (answer) => answer.body.data.length === 1,
    )
    expect(body.data[0]).toMatchObject({
      endpoint_id: endpoint.endpoint_id,
      event_type: 'verification.approved',
    })
  })

  test('a verification that needs a person sends an event to endpoints, but not to its callback URL', async () => {
    await using receiver = await startReceiver()
    await api('/webhooks/rotate-secret', { overlap_hours: 0 })
    const url = `${receiver.url}/hooks`
    await api('/webhooks/endpoints', { url, events: ['verification.review', 'verification.declined'] })
    const callback_url = `${receiver.url}/decisions`
    const { verification_id } = (await submit({ external_id: 'test_review_glare', callback_url })).body
    const { event } = await receiver.waitFor('verification.review')
    expect(event.data).toMatchObject({
      verification_id,
      decision: 'review',
      resubmit: true,
      reasons: [{ code: 'image_glare' }],
      decided_at: null,
    })
    await api(`/identity/verifications/${verification_id}/review`, { decision: 'declined' })
    const received = await until(
      async () => receiver.accepted,
      (all) => all.length === 3,
    )
    expect(received.map(({ path, event }) => `${event.type} ${path}`).toSorted()).toEqual([
      'verification.declined /decisions',
      'verification.declined /hooks',
      'verification.review /hooks',
    ])
  })

  test('media is encrypted at rest, can be erased, and is detected when reused for another person', async () => {
    const first = await decidedOf((await submitPassport({ external_id: 'one' })).body.verification_id)
    const encodedAgain = {
      front_image_b64: base64(await sharp(passport).jpeg({ quality: 90 }).toBuffer()),
      liveness_video_b64: base64(await recordVideo('another.mp4', 4)),
    }
    const stolen = await decidedOf(
      (await submit({ ...encodedAgain, external_id: 'two' })).body.verification_id,
    )
    expect(stolen).toMatchObject({ status: 'review', reasons: [{ code: 'document_reused' }] })
    expect(await decidedOf((await submit({ external_id: 'three' })).body.verification_id)).toMatchObject({
      status: 'review',
      reasons: expect.arrayContaining([expect.objectContaining({ code: 'media_reused' })]),
    })

    const { database, blobs } = server.context
    const row = await database
      .selectFrom('verifications')
      .where('verification_id', '=', first.verification_id)
      .selectAll()
      .executeTakeFirstOrThrow()
    const [artifact] = row.artifacts
    const stored = Buffer.concat(await Array.fromAsync((await blobs.open(artifact?.key ?? '')).stream))
    expect(stored.includes('JFIF')).toBe(false)
    const { rows } = await sql<{
      text: string
    }>`select verifications::text as text from verifications`.execute(database)
    expect(rows.some(({ text }) => text.includes('ERIKSSON'))).toBe(false)

    const route = `/identity/verifications/${first.verification_id}`
    expect((await api(`${route}/media`, undefined, 'DELETE')).status).toBe(204)
    await expect(blobs.open(artifact?.key ?? '')).rejects.toThrow(
      expect.objectContaining({ code: 'not_found' }),
    )
    expect((await read(first.verification_id, '?include_media=extracted')).extracted).toBeNull()
    expect((await api(`${route}/media`, undefined, 'DELETE')).status).toBe(204)
  })

  test('media is deleted after the checks if it is not to be stored', async () => {
    const { body } = await submitPassport({ options: { store_media: false } })
    await decidedOf(body.verification_id)
    const row = () =>
      server.context.database
        .selectFrom('verifications')
        .where('verification_id', '=', body.verification_id)
        .selectAll()
        .executeTakeFirstOrThrow()
    await until(row, ({ artifacts, media_erased_at }) => artifacts.length === 0 && media_erased_at !== null)
    expect((await read(body.verification_id, '?include_media=extracted')).extracted).not.toBeNull()
  })

  test('a verification can be read 120 times, and each response has the number of remaining reads', async () => {
    const { body } = await submit({ external_id: 'test_pending_forever' })
    const route = `/identity/verifications/${body.verification_id}`
    for (let left = 119; left >= 0; left--)
      expect((await api(route)).headers.get('x-polls-remaining')).toBe(String(left))
    const last = await api(route)
    expect(last.status).toBe(429)
    expect(last.headers.get('retry-after')).toBe('5')
  })

  test('a signature on a read is verified with the account’s secret', async () => {
    const { body } = await submit({ external_id: 'test_pending_forever' })
    const { body: made } = await api<{ secret: string }>('/webhooks/rotate-secret', { overlap_hours: 0 })
    const signed = await sign('', { secrets: made.secret, id: 'any', timestampSeconds: 1 })
    const ask = (signature: string) =>
      server.json(`/identity/verifications/${body.verification_id}`, {
        key,
        headers: { 'x-service-signature': signature },
      })
    expect((await ask(signed['x-service-signature'])).status).toBe(200)
    expect(await ask('0'.repeat(64))).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_signature' } },
    })
  })

  test('a verification of another account is not found', async () => {
    const { body } = await submit({ external_id: 'test_pending_forever' })
    ;({ key } = await server.createAccount())
    const route = `/identity/verifications/${body.verification_id}`
    const statuses = await Promise.all([
      api(route),
      api(`${route}/review`, { decision: 'approved' }),
      api(`${route}/reconsider`, { policy: 'default' }),
      api(`${route}/media`, undefined, 'DELETE'),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test('a submission is idempotent by its key', async () => {
    const request = {
      key,
      body: { ...media(), external_id: 'test_pending_forever' },
      headers: { 'idempotency-key': 'once' },
    }
    const first = await server.json<Verification>('/identity/kyc/v2', request)
    const again = await server.json<Verification>('/identity/kyc/v2', request)
    expect(again.status).toBe(200)
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})
