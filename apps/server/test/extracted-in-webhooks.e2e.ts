import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Id, Verification, WebhookDelivery } from '@vaani/contracts'
import type { ExtractedFields } from '@vaani/identity-checks'
import { makeDataKey } from '@vaani/service-kit/vault/data-key'
import { type Delivery, type Receiver, startReceiver } from '@vaani/test-harness'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sealExtracted } from '../src/features/identity/extracted.ts'
import { dumpAll } from './support/dump.ts'
import { makeMedia } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { pendingRow } from './support/verification-rows.ts'
import { writtenLines } from './support/written-lines.ts'

const PASSPORT = path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens/passport.jpg')
const EVENTS = ['verification.review', 'verification.approved', 'verification.declined']
/** The erasure is faster than the next attempt; the breaker opens after five. */
const SCHEDULE_SECONDS = [0, ...Array.from({ length: 9 }, () => 2)]

let server: TestServer
let dataDirectory: string
let receiver: Receiver
let key: string
let accountId: Id<'account'>

beforeAll(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-extracted-'))
  server = await startTestServer({
    config: {
      callbackAllowCidrs: ['127.0.0.0/8'],
      dataDirectory,
      webhookScheduleSeconds: SCHEDULE_SECONDS,
    },
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(dataDirectory, { recursive: true, force: true })
})
beforeEach(async () => {
  receiver = await startReceiver()
  ;({ key, accountId } = await server.createAccount())
  const { body } = await api<{ secret: string }>('/webhooks/rotate-secret', { overlap_hours: 0 })
  receiver.trust(body.secret)
})
afterEach(() => receiver[Symbol.asyncDispose]())

const api = <Body>(route: string, body?: object, method?: string) =>
  server.json<Body>(route, { key, ...(body && { body }), ...(method && { method }) })
const setOptIn = async (isIn: boolean) => {
  const change = { webhooks_include_extracted: isIn }
  const answer = await api(`/admin/accounts/${accountId}`, change, 'PATCH')
  expect(answer).toMatchObject({ status: 200, body: change })
}
async function addEndpoint(): Promise<void> {
  const { body } = await api<{ secret: string }>('/webhooks/endpoints', {
    url: `${receiver.url}/hooks`,
    events: EVENTS,
  })
  receiver.trust(body.secret)
}
const deliveriesOf = async (id: string) =>
  (await api<{ data: WebhookDelivery[] }>(`/webhooks/deliveries?object_id=${id}`)).body.data
const untilAll = (id: string, status: WebhookDelivery['status'], count: number) =>
  until(
    () => deliveriesOf(id),
    (all) => all.length === count && all.every((one) => one.status === status),
  )
const extractedIn = ({ body }: Delivery): unknown => JSON.parse(body.toString()).data.extracted
const findIn = (texts: readonly string[], values: readonly string[]) =>
  values.filter((value) => texts.some((text) => text.includes(value)))
const dump = () => dumpAll(server.context.database, dataDirectory)

const fieldsOf = (mark: string): ExtractedFields => ({
  document_type: 'P',
  document_number: `N${mark}`,
  full_name: `ANNA ${mark}`,
  surname: mark,
  given_names: 'ANNA',
  date_of_birth: '1974-08-12',
  expiry_date: null,
  nationality: 'UTO',
  issuing_country: 'UTO',
  sex: 'F',
  mrz: null,
})

const PASSPORT_FIELDS: ExtractedFields = {
  ...fieldsOf('ERIKSSON'),
  document_number: 'L898902C3',
  mrz: { format: 'TD3', valid: true, lines: [] },
}

/** Utopia is in no list of ISO. */
const NO_ISO = { nationality_iso: null, issuing_country_iso: null }

/** Writes a verification in review from whose document these fields were read. */
async function addReview(
  fields: ExtractedFields | null,
  more: { external_id?: string; callback_url?: string | null } = {},
): Promise<string> {
  const { database, vault, makeId } = server.context
  const verification_id = makeId('verification')
  const { sealed: data_key } = makeDataKey(vault, verification_id)
  await database
    .insertInto('verifications')
    .values({
      ...pendingRow({ verification_id, account_id: accountId, livemode: false, data_key }),
      status: 'review',
      callback_url: `${receiver.url}/callback`,
      extracted: sealExtracted(vault, { verification_id, data_key }, fields),
      ...more,
    })
    .execute()
  return verification_id
}
/** Writes what would have been read from the document of a verification. */
async function writeFields(verification_id: string, fields: ExtractedFields): Promise<void> {
  const { database, vault } = server.context
  const { data_key } = await database
    .selectFrom('verifications')
    .where('verification_id', '=', verification_id)
    .select('data_key')
    .executeTakeFirstOrThrow()
  await database
    .updateTable('verifications')
    .where('verification_id', '=', verification_id)
    .set({ extracted: sealExtracted(vault, { verification_id, data_key }, fields) })
    .execute()
}
const approve = async (id: string) =>
  expect(await api(`/identity/verifications/${id}/review`, { decision: 'approved' })).toMatchObject({
    status: 200,
  })

describe('an account that opts in', () => {
  test('gets the fields with each final decision, signed as sent, and nothing stores them in the clear', async () => {
    await setOptIn(true)
    await addEndpoint()
    // Receivers that repeat what they were sent, the first time with a failure.
    const echo =
      (status: number) =>
      ({ body }: Delivery) =>
      (response: ServerResponse) =>
        response.writeHead(status).end(body)
    receiver.answer(echo(500))
    const fields = fieldsOf(`MARK${randomUUID()}`)
    const id = await addReview(fields)
    await approve(id)
    await until(
      () => deliveriesOf(id),
      (all) => all.length === 2 && all.every(({ attempt_count }) => attempt_count > 0),
    )
    receiver.answer(echo(200))
    const ended = await untilAll(id, 'delivered', 2)
    expect(receiver.deliveries.length).toBeGreaterThanOrEqual(4)
    expect(new Set(receiver.deliveries.map(({ path: to }) => to))).toEqual(new Set(['/hooks', '/callback']))
    for (const delivery of receiver.deliveries) {
      expect(delivery.signature).toBe('genuine')
      expect(extractedIn(delivery)).toEqual({ ...fields, ...NO_ISO })
    }
    for (const { delivery_id } of ended) {
      const { body } = await api<{ body: string; attempts: { response_excerpt: null }[] }>(
        `/webhooks/deliveries/${delivery_id}`,
      )
      expect(JSON.parse(body.body).data.extracted).toBeUndefined()
      expect(body.attempts.map(({ response_excerpt }) => response_excerpt)).toEqual(
        body.attempts.map(() => null),
      )
    }
    const values = [fields.surname, fields.document_number].map(String)
    expect(findIn([...(await dump()), ...writtenLines()], values)).toEqual([])
  })

  test(
    'gets none with a review, and those of the document once it is decided',
    { tags: 'ffmpeg' },
    async () => {
      await setOptIn(true)
      await addEndpoint()
      const { image, video } = await makeMedia()
      const isRead = thorough({ usual: false, long: true })
      const { body } = await api<Verification>('/identity/kyc/v2', {
        front_image_b64: isRead ? await readFile(PASSPORT, 'base64') : image.toString('base64'),
        liveness_video_b64: video.toString('base64'),
        external_id: isRead ? 'citizen-1' : 'test_review_glare:citizen-1',
      })
      const review = await receiver.waitFor('verification.review', { timeoutMs: 50_000 })
      expect(extractedIn(review)).toBeUndefined()
      if (!isRead) await writeFields(body.verification_id, PASSPORT_FIELDS)
      await approve(body.verification_id)
      const approved = await receiver.waitFor('verification.approved')
      expect(extractedIn(approved)).toMatchObject({ document_number: 'L898902C3', mrz: { valid: true } })
      const asRead = await api<Verification>(
        `/identity/verifications/${body.verification_id}?include_media=extracted`,
      )
      expect(approved.event.data).toEqual(asRead.body)
      await untilAll(body.verification_id, 'delivered', 2)
      expect(findIn([...(await dump()), ...writtenLines()], ['L898902C3', 'ERIKSSON'])).toEqual([])
    },
  )

  test('gets null where nothing was read', async () => {
    await setOptIn(true)
    await approve(await addReview(null))
    expect(extractedIn(await receiver.waitFor('verification.approved'))).toBeNull()
  })

  test('gets null in every attempt after the media was erased', async () => {
    await setOptIn(true)
    receiver.answer(() => 500)
    const id = await addReview(fieldsOf('BEFORE'))
    await approve(id)
    expect(extractedIn(await receiver.waitFor('verification.approved'))).toMatchObject({ surname: 'BEFORE' })
    expect((await api(`/identity/verifications/${id}/media`, undefined, 'DELETE')).status).toBe(204)
    const count = receiver.deliveries.length
    receiver.answer(() => 204)
    const [ended] = await untilAll(id, 'delivered', 1)
    const later = receiver.deliveries.slice(count)
    expect(later.map(extractedIn)).toEqual([null])
    await api(`/webhooks/deliveries/${ended?.delivery_id}/resend`, undefined, 'POST')
    await receiver.waitFor((one) => one === receiver.deliveries[count + 1])
    expect(receiver.deliveries.at(-1)?.signature).toBe('genuine')
    expect(receiver.deliveries.slice(count).map(extractedIn)).toEqual([null, null])
  })

  test('gets nothing more after the person was erased, except null where it asks for it', async () => {
    await setOptIn(true)
    await addEndpoint()
    receiver.answer(() => 500)
    const id = await addReview(fieldsOf('ERASED'), { external_id: 'citizen-2', callback_url: null })
    await approve(id)
    await until(
      () => deliveriesOf(id),
      (all) => all[0]?.attempt_count === 1,
    )
    expect((await api('/identity/subjects/citizen-2', undefined, 'DELETE')).status).toBe(204)
    const [dead] = await deliveriesOf(id)
    expect(dead).toMatchObject({ status: 'dead', dead_reason: 'erased' })
    const count = receiver.deliveries.length
    receiver.answer(() => 204)
    await api(`/webhooks/deliveries/${dead?.delivery_id}/resend`, undefined, 'POST')
    await untilAll(id, 'delivered', 1)
    expect(receiver.deliveries.slice(count).map(extractedIn)).toEqual([null])
    expect(findIn(await dump(), ['ERASED'])).toEqual([])
  })

  test('gets none of a decision from before, and none in attempts after it opts out', async () => {
    const early = await addReview(fieldsOf('EARLY'))
    await approve(early)
    const [sent] = await untilAll(early, 'delivered', 1)
    await setOptIn(true)
    await api(`/webhooks/deliveries/${sent?.delivery_id}/resend`, undefined, 'POST')
    await receiver.waitFor((one) => one === receiver.deliveries[1])
    receiver.answer(() => 500)
    await approve(await addReview(fieldsOf('LATER')))
    await receiver.waitFor((one) => one === receiver.deliveries[2])
    await setOptIn(false)
    await receiver.waitFor((one) => one === receiver.deliveries[3])
    expect(receiver.deliveries.slice(0, 4).map(extractedIn)).toEqual([
      undefined,
      undefined,
      expect.objectContaining({ surname: 'LATER' }),
      undefined,
    ])
  })

  test('waits for a person if sealed fields are damaged, without holding up its other deliveries', async () => {
    await setOptIn(true)
    const damaged = await addReview(fieldsOf('DAMAGED'))
    await server.context.database
      .updateTable('verifications')
      .set({ extracted: Buffer.alloc(64) })
      .where('verification_id', '=', damaged)
      .execute()
    await approve(damaged)
    await approve(await addReview(fieldsOf('WHOLE')))
    expect(extractedIn(await receiver.waitFor('verification.approved'))).toMatchObject({ surname: 'WHOLE' })
    await until(
      () => deliveriesOf(damaged),
      ([waiting]) => waiting?.status === 'pending' && waiting.attempt_count === 0,
    )
    expect(writtenLines().some((line) => line.includes('unreadable_field'))).toBe(true)
  })
})

test('an account that did not opt in gets no fields, at the cost of no statement', async () => {
  await addEndpoint()
  const id = await addReview(fieldsOf('UNASKED'))
  await approve(id)
  await untilAll(id, 'delivered', 2)
  expect(receiver.deliveries.map(extractedIn)).toEqual([undefined, undefined])
  const { late_field } = await server.context.database
    .selectFrom('events')
    .where('object_id', '=', id)
    .select('late_field')
    .executeTakeFirstOrThrow()
  // The sender reads nothing for an event that names no field.
  expect(late_field).toBeNull()
  const accounts = await api<{ data: object[] }>('/admin/accounts')
  expect(accounts.body.data).toMatchObject([{ webhooks_include_extracted: false }])
})
