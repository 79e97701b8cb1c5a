import { isDeepStrictEqual } from 'node:util'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Verification, WEBHOOK_EVENT_TYPES, type WebhookDelivery } from '@vaani/contracts'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dumpAll } from './support/dump.ts'
import { makeMedia } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { untilDecided } from './support/until-decided.ts'

/** In test mode, the part before the colon decides the outcome. */
let approved: string
let inReview: string
let neighbourId: string
let token: string
let note: string

let server: TestServer
let dataDirectory: string
let receiver: Receiver
let media: { front_image_b64: string; liveness_video_b64: string }
let key: string
/** Digests of the media of the last submission, in hex. */
let digests: string[]
/** Folders of the blobs of each verification. */
const folders = new Map<string, string>()

beforeAll(async () => {
  const { image, video } = await makeMedia()
  media = { front_image_b64: image.toString('base64'), liveness_video_b64: video.toString('base64') }
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-erasure-'))
  server = await startTestServer({ config: { callbackAllowCidrs: ['127.0.0.0/8'], dataDirectory } })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await rm(dataDirectory, { recursive: true, force: true })
})
beforeEach(async () => {
  const mark = randomBytes(6).toString('hex')
  approved = `test_approved:citizen-${mark}-a`
  inReview = `test_review_glare:citizen-${mark}-r`
  neighbourId = `test_approved:citizen-${mark}-n`
  token = `token-${mark}`
  note = `Came to the office with her sister ${mark}.`
  receiver = await startReceiver()
  ;({ key } = await server.createAccount({ tier: 'pro' }))
  await api('/webhooks/rotate-secret', { overlap_hours: 0 })
})
afterEach(() => receiver?.[Symbol.asyncDispose]())

const citizenOf = (externalId: string) => externalId.split(':')[1] ?? ''
const api = <Body>(route: string, body?: object, method?: string, headers: Record<string, string> = {}) =>
  server.json<Body>(route, { key, headers, ...(body && { body }), ...(method && { method }) })
const subject = (externalId: string) => `/identity/subjects/${encodeURIComponent(externalId)}`
const erase = (externalId: string) =>
  api<{ error?: { code: string } }>(subject(externalId), undefined, 'DELETE')
const read = async (id: string) => (await api<Verification>(`/identity/verifications/${id}`)).body
const deliveriesOf = async (id: string) =>
  (await api<{ data: WebhookDelivery[] }>(`/webhooks/deliveries?object_id=${id}`)).body.data
const callback = () => `${receiver.url}/${token}?for=${token}`
const dump = () => dumpAll(server.context.database, dataDirectory)

/** Submits a verification with everything that can hold personal data, and waits for its first decision. */
async function submit(external_id: string, callback_url = callback()): Promise<Verification> {
  const request = { ...media, external_id, callback_url }
  const { body, status } = await api<Verification>('/identity/kyc/v2', request, 'POST', {
    'idempotency-key': randomUUID(),
  })
  expect(status).toBe(200)
  const { rows } = await sql<{ hex: string }>`
    select encode(fingerprint, 'hex') as hex from media_fingerprints where verification_id = ${body.verification_id}`.execute(
    server.context.database,
  )
  digests = rows.map(({ hex }) => hex)
  expect(digests).toHaveLength(2)
  const { artifacts } = await server.context.database
    .selectFrom('verifications')
    .where('verification_id', '=', body.verification_id)
    .select('artifacts')
    .executeTakeFirstOrThrow()
  folders.set(body.verification_id, path.dirname(artifacts[0]?.key ?? ''))
  return untilDecided(
    async (route) => (await api<{ data: Verification[] }>(route)).body,
    body.verification_id,
  )
}

const folderOf = (verificationId: string) => folders.get(verificationId) ?? ''

/** Lists what is found of a person, of their callback URL and of their media. */
async function findTraces(externalId: string, verificationId: string): Promise<string[]> {
  const texts = [externalId, citizenOf(externalId), token, note, folderOf(verificationId), ...digests]
  const stored = await dump()
  return texts.filter((text) => stored.some((one) => one.includes(text)))
}

const untilDelivered = (id: string, count: number) =>
  until(
    () => deliveriesOf(id),
    (all) => all.length === count && all.every(({ status }) => status === 'delivered'),
  )

describe('erasing a person', { tags: 'ffmpeg' }, () => {
  test('leaves nothing of them in any table or folder, and keeps what was decided', async () => {
    // A receiver that repeats what it was sent, as many do while they are being developed.
    receiver.answer(
      ({ body }) =>
        (response) =>
          response.end(body),
    )
    await api('/webhooks/endpoints', { url: `${receiver.url}/hooks`, events: WEBHOOK_EVENT_TYPES })
    const { verification_id: id } = await submit(inReview)
    const route = `/identity/verifications/${id}`
    const idempotent = { 'idempotency-key': 'the-review' }
    const noted = await api(`${route}/review/notes`, { note }, 'POST', { 'idempotency-key': 'the-note' })
    expect(noted.status).toBe(201)
    const decision = { decision: 'declined', note }
    const reviewed = await api<Verification>(`${route}/review`, decision, 'POST', idempotent)
    expect(reviewed.status).toBe(200)
    await api(`${route}/reconsider`, { policy: 'default' }, 'POST', { 'idempotency-key': 'the-question' })
    // Two to the endpoint, one to the callback URL.
    await untilDelivered(id, 3)
    expect(await findTraces(inReview, id)).toEqual([
      inReview,
      citizenOf(inReview),
      token,
      folderOf(id),
      ...digests,
    ])

    expect(await erase(inReview)).toMatchObject({ status: 204 })
    expect(await findTraces(inReview, id)).toEqual([])
    const { database } = server.context
    const row = database.selectFrom('verifications').where('verification_id', '=', id).selectAll()
    expect(await row.executeTakeFirstOrThrow()).toMatchObject({
      data_key: null,
      extracted: null,
      review_note: null,
      callback_url: null,
      artifacts: [],
      reviewed_by: expect.stringContaining('key_'),
    })
    expect(await read(id)).toEqual({ ...reviewed.body, external_id: null })
    expect((await api<{ data: [] }>(subject(inReview))).body.data).toEqual([])
    // A replayed request creates nobody anew.
    const replayed = await api<Verification>(`${route}/review`, decision, 'POST', idempotent)
    expect(replayed.body).toEqual({ ...reviewed.body, external_id: null })
    expect((await erase(inReview)).status).toBe(204)
  })

  test('does not touch other persons, other accounts and the other mode', async () => {
    const mine = await submit(approved)
    const neighbour = await submit(neighbourId)
    const first = key
    ;({ key } = await server.createAccount())
    expect((await erase(approved)).status).toBe(204)
    key = first
    const { account_id } = await server.context.database
      .selectFrom('verifications')
      .where('verification_id', '=', mine.verification_id)
      .select('account_id')
      .executeTakeFirstOrThrow()
    key = await server.createKey(account_id, true)
    expect((await erase(approved)).status).toBe(204)
    key = first
    expect(await read(mine.verification_id)).toEqual(mine)
    expect((await erase(approved)).status).toBe(204)
    expect((await read(mine.verification_id)).external_id).toBeNull()
    expect(await read(neighbour.verification_id)).toEqual(neighbour)
    expect(await findTraces(neighbourId, neighbour.verification_id)).toHaveLength(4 + digests.length)
  })

  test('ends webhooks that are not delivered, and none of them can bring the URL back', async () => {
    receiver.answer(() => 500)
    await api('/webhooks/endpoints', { url: `${receiver.url}/hooks`, events: WEBHOOK_EVENT_TYPES })
    const { verification_id: id } = await submit(approved)
    await until(
      () => deliveriesOf(id),
      (all) => all.length === 2 && all.every(({ attempt_count }) => attempt_count > 0),
    )
    expect((await erase(approved)).status).toBe(204)
    const ended = await deliveriesOf(id)
    expect(ended.map(({ status, dead_reason }) => [status, dead_reason])).toEqual([
      ['dead', 'erased'],
      ['dead', 'erased'],
    ])
    const ofCallback = ended.find(({ endpoint_id }) => endpoint_id === null)
    const ofEndpoint = ended.find(({ endpoint_id }) => endpoint_id !== null)
    expect([ofCallback?.url, ofEndpoint?.url]).toEqual([null, `${receiver.url}/hooks`])
    const resend = (one?: WebhookDelivery) =>
      api(`/webhooks/deliveries/${one?.delivery_id}/resend`, undefined, 'POST')
    expect(await resend(ofCallback)).toMatchObject({
      status: 409,
      body: { error: { code: 'state_conflict' } },
    })
    const since = new Date(0).toISOString()
    expect(await api('/webhooks/deliveries/recover', { since })).toMatchObject({ body: { resent: 0 } })
    // To an endpoint, the decision can still be sent, without the person.
    receiver.answer(() => 204)
    expect((await resend(ofEndpoint)).status).toBe(202)
    const { event } = await receiver.waitFor(({ body }) => !body.includes('citizen'))
    expect(event.data).toMatchObject({ verification_id: id, status: 'approved', external_id: null })
    expect(await findTraces(approved, id)).toEqual([])
  })

  test('includes attempts in flight, whose outcome is no longer written', async () => {
    const { promise: erased, resolve: release } = Promise.withResolvers<void>()
    receiver.answer(
      ({ body }) =>
        (response) =>
          void erased.then(() => response.end(body)),
    )
    const { verification_id: id } = await submit(approved)
    await receiver.waitFor('verification.approved')
    expect((await erase(approved)).status).toBe(204)
    release()
    await until(
      async () => receiver.accepted.length,
      (count) => count === 1,
    )
    // An outcome of another person, on the same destination, is written after it.
    receiver.answer(() => 204)
    const other = await submit(neighbourId, `${receiver.url}/other`)
    await untilDelivered(other.verification_id, 1)
    digests = []
    expect(await findTraces(approved, id)).toEqual([])
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'dead', dead_reason: 'erased', url: null }])
  })

  test('is refused while one of their verifications is pending, and changes nothing', async () => {
    await submit(approved)
    const { database } = server.context
    await sql`update verifications set external_id = 'test_pending_forever' where external_id = ${approved}`.execute(
      database,
    )
    await api('/identity/kyc/v2', { ...media, external_id: 'test_pending_forever' })
    // Deliveries of earlier tests end, and their lanes are removed some time later. The others are renewed every few seconds.
    const changing = ['webhook_lanes', 'webhook_workers', 'leases', 'queue', 'version']
    const lasting = async () =>
      (await dump()).filter((row) => !changing.some((table) => row.startsWith(`${table} `)))
    let before: string[] = []
    await until(
      async () => [before, (before = await lasting())] as const,
      ([earlier, now]) => isDeepStrictEqual(earlier, now),
    )
    const refused = await server.fetch(subject('test_pending_forever'), { key, method: 'DELETE' })
    expect(refused.status).toBe(409)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ error: { code: 'state_conflict', param: 'external_id' } })
    expect(await lasting()).toEqual(before)
  })
})

describe('retention', { tags: 'ffmpeg' }, () => {
  const age = (id: string, days: number) =>
    sql`update verifications set decided_at = decided_at - make_interval(days => ${days}) where verification_id = ${id}`.execute(
      server.context.database,
    )

  test('erases the person at its end', async () => {
    const { verification_id: id } = await submit(approved)
    await untilDelivered(id, 1)
    await server.context.identity.erasure.sweep()
    expect(await findTraces(approved, id)).not.toEqual([])
    await age(id, 31)
    await server.context.identity.erasure.sweep()
    expect(await findTraces(approved, id)).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'approved', external_id: null })
  })

  test('waits for the retries of webhooks, if it is shorter, but erases the media at once', async () => {
    receiver.answer(() => 500)
    const { verification_id: id } = await submit(approved)
    const { rows } = await sql<{ account_id: string }>`
      select account_id from verifications where verification_id = ${id}`.execute(server.context.database)
    const route = `/admin/accounts/${rows[0]?.account_id}`
    await server.json(route, { method: 'PATCH', body: { media_retention_days: 1 } })
    await age(id, 1)
    await server.context.identity.erasure.sweep()
    expect(await findTraces(approved, id)).toEqual([approved, citizenOf(approved), token])
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', url: callback() }])
    await age(id, 1)
    await server.context.identity.erasure.sweep()
    expect(await findTraces(approved, id)).toEqual([])
  })

  test('includes what was read from media that was never stored', async () => {
    const { body } = await api<Verification>('/identity/kyc/v2', {
      ...media,
      external_id: approved,
      options: { store_media: false },
    })
    const row = () =>
      server.context.database
        .selectFrom('verifications')
        .where('verification_id', '=', body.verification_id)
        .selectAll()
        .executeTakeFirstOrThrow()
    const checked = await until(row, ({ media_erased_at }) => media_erased_at !== null)
    expect(checked.data_key).not.toBeNull()
    await age(body.verification_id, 31)
    await server.context.identity.erasure.sweep()
    expect(await row()).toMatchObject({ data_key: null, external_id: null, erased_at: expect.any(Date) })
  })
})

test('erasing media erases its digests and notes, but not the person', { tags: 'ffmpeg' }, async () => {
  const { verification_id: id } = await submit(inReview)
  const route = `/identity/verifications/${id}`
  await api(`${route}/review`, { decision: 'approved', note }, 'POST')
  await api(`${route}/review/notes`, { note }, 'POST', { 'idempotency-key': 'the-note' })
  expect((await api(`${route}/media`, undefined, 'DELETE')).status).toBe(204)
  expect(await findTraces(inReview, id)).toEqual([inReview, citizenOf(inReview), token])
  expect((await read(id)).external_id).toBe(inReview)
})
