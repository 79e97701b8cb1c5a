import { createHash } from 'node:crypto'
import {
  type Review,
  reviewCountsSchema,
  type ReviewEntry,
  reviewEntrySchema,
  reviewSchema,
  type Verification,
} from '@vaani/contracts'
import { DEFAULT_POLICY } from '@vaani/identity-checks/policies'
import { systemClock } from '@vaani/service-kit/clock'
import type { Tenant } from '@vaani/service-kit/tenant'
import { Kysely, PostgresDialect } from 'kysely'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { up } from '../src/features/identity/migrations/0033-review-queue.ts'
import { makeMedia } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { pendingRow } from './support/verification-rows.ts'

const FIFTEEN_MINUTES_MS = 900_000
const QUEUE = '/identity/reviews'
/** Goes on by itself, because ids of one millisecond are in no order. */
const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms++ }
let server: TestServer
let folder: string
let tenant: Tenant
let key: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-reviews-'))
  const identityPoliciesFile = path.join(folder, 'policies.json')
  await writeFile(
    identityPoliciesFile,
    JSON.stringify({ 'four-eyes': { reviewers: 2 }, prompt: { review_within_hours: 4 } }),
  )
  // Without a worker, so that only people decide anything.
  server = await startTestServer({ clock, config: { roles: new Set(['api']), identityPoliciesFile } })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  const account = await server.createAccount()
  key = account.key
  tenant = { accountId: account.accountId, livemode: false }
})

const CHECK = {
  check: 'document_quality',
  outcome: 'warning',
  code: 'image_blurred',
  score: 0.4,
  evidence: { sharpness: 12, sharpness_min: 40 },
  model: 'sharpness/1',
} as const
const PLACED = {
  ...CHECK,
  check: 'mrz_checks',
  code: 'mrz_unsure',
  places: [
    {
      artifact: 'front_image',
      what: 'zone',
      width: 1223,
      height: 1680,
      // The document lies on its side.
      corners: [
        { x: 240, y: 100 },
        { x: 240, y: 1540 },
        { x: 100, y: 1540 },
        { x: 100, y: 100 },
      ],
    },
  ],
} as const

const reasonOf = (code: string) => ({
  code,
  check: 'document_quality',
  outcome: 'warning',
  message: '',
  next_step: '',
  retryable: true,
})

async function writeReview(
  policy: string = DEFAULT_POLICY.name,
  { reasons = ['image_blurred'], externalId = null as string | null } = {},
): Promise<string> {
  const verification_id = server.context.makeId('verification')
  await server.context.database
    .insertInto('verifications')
    .values(
      pendingRow({
        verification_id,
        account_id: tenant.accountId,
        livemode: false,
        status: 'review',
        policy,
        checks: JSON.stringify([CHECK, PLACED]),
        reasons: JSON.stringify(reasons.map(reasonOf)),
        external_id: externalId,
        created_at: new Date(clock.nowMs()),
      }),
    )
    .execute()
  return verification_id
}

interface Refusal {
  error: { code: string; message: string; param: string | null }
}
const post = <Body = Review & Refusal>(route: string, body: object = {}) =>
  server.json<Body>(route, { key, body })
const get = <Body>(route: string) => server.json<Body>(route, { key })
const reviewOf = (id: string) => `/identity/verifications/${id}/review`
const read = async (id: string) => reviewSchema.parse((await get<Review>(reviewOf(id))).body)
const historyOf = async (id: string) => {
  const { body } = await get<{ data: ReviewEntry[] }>(`${reviewOf(id)}/history`)
  return body.data.map((entry) => reviewEntrySchema.parse(entry))
}
const claimNext = async (reviewer: string) =>
  (await post<{ review: Review | null }>(`${QUEUE}/claim`, { reviewer })).body.review?.verification
    .verification_id

describe('the queue', () => {
  test('shows what was measured, beside its thresholds, the oldest first', async () => {
    const ids = [await writeReview(), await writeReview(), await writeReview()]
    const first = await get<{ data: Review[]; next_cursor: string }>(`${QUEUE}?limit=2`)
    expect(first.body.data.map(({ verification }) => verification.verification_id)).toEqual(ids.slice(0, 2))
    const rest = await get<{ data: Review[] }>(`${QUEUE}?cursor=${first.body.next_cursor}`)
    expect(rest.body.data.map((review) => reviewSchema.parse(review))).toMatchObject([
      {
        verification: { verification_id: ids[2], status: 'review' },
        policy: 'default',
        reviewers_needed: 1,
        checks: [CHECK, PLACED],
        media: [],
        claim: null,
        waiting_for: 'reviewer',
        due_at: null,
        votes: [],
      },
    ])
    // What others get has no evidence.
    expect(JSON.stringify(rest.body.data.map(({ verification }) => verification))).not.toMatch(
      /corners|sharpness_min/,
    )
  })

  test('is filtered by reason, policy, person, age and claim, in any combination', async () => {
    const blurred = await writeReview()
    const dark = await writeReview('four-eyes', {
      reasons: ['image_dark', 'image_blurred'],
      externalId: 'ann',
    })
    const between = new Date(clock.nowMs()).toISOString()
    const other = await writeReview('four-eyes', { reasons: ['image_dark'], externalId: 'ann' })
    await post(`${reviewOf(other)}/claim`, { reviewer: 'a' })
    const list = async (query: string) =>
      (await get<{ data: Review[] }>(`${QUEUE}?${query}`)).body.data.map(
        ({ verification }) => verification.verification_id,
      )
    expect(await list('reason=image_blurred')).toEqual([blurred, dark])
    expect(await list('reason=image_dark')).toEqual([dark, other])
    expect(await list(`reason=image_dark&cursor=${dark}`)).toEqual([other])
    expect(await list('reason=image_blurred&policy=four-eyes')).toEqual([dark])
    expect(await list('policy=four-eyes')).toEqual([dark, other])
    expect(await list('external_id=ann&reason=image_blurred')).toEqual([dark])
    expect(await list(`created_before=${between}`)).toEqual([blurred, dark])
    expect(await list(`created_after=${between}&reason=image_dark`)).toEqual([other])
    expect(await list('claimed_by=a')).toEqual([other])
    expect(await list(`claimed_by=${(await read(other)).claim?.key_id}`)).toEqual([other])
    expect(await list('claimed_by=b')).toEqual([])
    expect(await list('claimed=false&policy=four-eyes')).toEqual([dark])
    expect(await list('claimed=true&reason=image_blurred')).toEqual([])
    await post(reviewOf(dark), { decision: 'approved', reviewer: 'a' })
    await post(reviewOf(dark), { decision: 'approved', reviewer: 'b' })
    expect(await list('reason=image_dark')).toEqual([other])
    expect(await list('policy=unknown')).toEqual([])
    const wrong = await get<Refusal>(`${QUEUE}?created_before=yesterday`)
    expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'created_before' } } })
  })

  test('is filtered by reason as well if an earlier version wrote it', async () => {
    const id = await writeReview()
    await server.context.database.deleteFrom('review_reasons').execute()
    await up(new Kysely<unknown>({ dialect: new PostgresDialect({ pool: server.context.pool }) }))
    const { body } = await get<{ data: Review[] }>(`${QUEUE}?reason=image_blurred`)
    expect(body.data.map(({ verification }) => verification.verification_id)).toEqual([id])
  })

  test('is counted by policy and reason, with what is overdue', async () => {
    expect(reviewCountsSchema.parse((await get(`${QUEUE}/counts`)).body)).toEqual({
      reviews: 0,
      claimed: 0,
      waiting_for_person: 0,
      oldest_created_at: null,
      by_policy: [],
      by_reason: [],
    })
    const first = await writeReview('prompt', { reasons: ['image_dark'] })
    clock.ms += 5 * 3_600_000
    await writeReview('prompt')
    await writeReview()
    await claimNext('a')
    const asked = await writeReview()
    await post(`${reviewOf(asked)}/ask`, { artifact: 'front_image', problem: 'blurred' })
    const { verification, due_at } = await read(first)
    expect(Date.parse(due_at ?? '')).toBe(Date.parse(verification.created_at ?? '') + 4 * 3_600_000)
    expect(reviewCountsSchema.parse((await get(`${QUEUE}/counts`)).body)).toEqual({
      reviews: 3,
      claimed: 1,
      waiting_for_person: 1,
      oldest_created_at: verification.created_at,
      by_policy: [
        {
          policy: 'default',
          reviews: 1,
          oldest_created_at: expect.any(String),
          oldest_due_at: null,
          overdue: 0,
        },
        {
          policy: 'prompt',
          reviews: 2,
          oldest_created_at: verification.created_at,
          oldest_due_at: due_at,
          overdue: 1,
        },
      ],
      by_reason: [
        { reason: 'image_blurred', reviews: 2 },
        { reason: 'image_dark', reviews: 1 },
      ],
    })
  })

  test('gives everybody another review', async () => {
    const ids = await Promise.all([writeReview(), writeReview(), writeReview()])
    const claimed = await Promise.all(['a', 'b', 'c', 'd'].map((reviewer) => claimNext(reviewer)))
    expect(claimed.filter((id) => id !== undefined).toSorted()).toEqual(ids.toSorted())
    const listed = async (claimed: boolean) =>
      (await get<{ data: Review[] }>(`${QUEUE}?claimed=${claimed}`)).body.data.length
    expect([await listed(true), await listed(false)]).toEqual([3, 0])
    clock.ms += FIFTEEN_MINUTES_MS
    expect([await listed(true), await listed(false)]).toEqual([0, 3])
  })

  test('belongs to an account and its mode', async () => {
    const id = await writeReview()
    for (const other of [
      (await server.createAccount()).key,
      await server.createKey(tenant.accountId, true),
    ]) {
      expect((await server.json<{ data: unknown[] }>(QUEUE, { key: other })).body.data).toEqual([])
      const next = await server.json(`${QUEUE}/claim`, { key: other, body: {} })
      expect(next).toMatchObject({ status: 200, body: { review: null } })
      for (const route of ['', '/history', '/media?artifact=front_image'])
        expect((await server.fetch(`${reviewOf(id)}${route}`, { key: other })).status).toBe(404)
    }
  })
})

describe('a claim', () => {
  test('needs no body', async () => {
    const id = await writeReview()
    for (const route of [`${reviewOf(id)}/claim`, `${reviewOf(id)}/release`, `${QUEUE}/claim`])
      for (const headers of [
        {},
        { 'content-type': 'application/json' },
        { 'idempotency-key': crypto.randomUUID() },
      ])
        expect(await server.json(route, { key, method: 'POST', headers })).toMatchObject({ status: 200 })
  })

  test('keeps others away until it is released, or its time is over', async () => {
    const id = await writeReview()
    expect(await post(`${reviewOf(id)}/claim`, { reviewer: 'a' })).toMatchObject({
      status: 200,
      body: { claim: { reviewer: 'a', expires_at: expect.any(String) } },
    })
    const conflict = { status: 409, body: { error: { code: 'state_conflict' } } }
    const asOther = async (reviewer?: string) => [
      await post(`${reviewOf(id)}/claim`, { reviewer }),
      await post(`${reviewOf(id)}/release`, { reviewer }),
      await post(reviewOf(id), { decision: 'approved', reviewer }),
    ]
    expect(await asOther('b')).toMatchObject([conflict, conflict, conflict])
    // The key alone is somebody else as well.
    expect(await asOther()).toMatchObject([conflict, conflict, conflict])
    expect(await read(id)).toMatchObject({ claim: { reviewer: 'a' }, votes: [] })

    expect(await post(`${reviewOf(id)}/release`, { reviewer: 'a' })).toMatchObject({ body: { claim: null } })
    expect((await post(`${reviewOf(id)}/claim`, { reviewer: 'b' })).status).toBe(200)
    clock.ms += FIFTEEN_MINUTES_MS
    expect((await read(id)).claim).toBeNull()
    expect((await post(`${reviewOf(id)}/claim`, { reviewer: 'a' })).status).toBe(200)
    expect((await post(reviewOf(id), { decision: 'declined', reviewer: 'a' })).status).toBe(200)
    expect((await historyOf(id)).map(({ type, reviewer }) => `${type} ${reviewer}`)).toEqual([
      'vote a',
      'claim a',
      'claim b',
      'release a',
      'claim a',
    ])
  })

  test('needs a verification in review', async () => {
    const id = await writeReview()
    await post(reviewOf(id), { decision: 'approved' })
    for (const action of ['claim', 'release'])
      expect((await post(`${reviewOf(id)}/${action}`)).status).toBe(409)
    expect((await read(id)).votes).toMatchObject([{ decision: 'approved', reviewer: null }])
  })
})

describe('asking for something again', () => {
  const ask = (id: string, body: object) => post<Review & Refusal>(`${reviewOf(id)}/ask`, body)

  test('tells the person what to send, and takes the review from the queue', async () => {
    const id = await writeReview()
    await post(`${reviewOf(id)}/claim`, { reviewer: 'a' })
    expect(await ask(id, { artifact: 'back_image', problem: 'glare', reviewer: 'b' })).toMatchObject({
      status: 409,
      body: { error: { code: 'state_conflict' } },
    })
    const first = await ask(id, { artifact: 'back_image', problem: 'glare', reviewer: 'a' })
    expect(first).toMatchObject({ status: 200, body: { waiting_for: 'person', claim: null } })
    await ask(id, { artifact: 'liveness_video', problem: 'covered', reviewer: 'a' })
    await ask(id, { artifact: 'back_image', problem: 'blurred', reviewer: 'a' })
    const { body } = await get<Verification>(`/identity/verifications/${id}`)
    expect(body).toMatchObject({
      status: 'review',
      resubmit: true,
      reasons: [
        { code: 'liveness_video_covered', check: 'review', retryable: true },
        {
          code: 'back_image_blurred',
          message: 'The back of the document is blurred.',
          next_step:
            'Take a new picture of the back of the document with the camera held still. Then send everything again.',
          translations: { ne: { message: 'कागजातको पछाडिको भाग धमिलो छ।', next_step: expect.any(String) } },
        },
      ],
    })
    expect(await claimNext('a')).toBeUndefined()
    const listed = async (query: string) =>
      (await get<{ data: Review[] }>(`${QUEUE}?${query}`)).body.data.length
    expect(await listed('')).toBe(0)
    expect(await listed('waiting_for=person')).toBe(1)
    expect(await listed('waiting_for=person&reason=back_image_blurred')).toBe(1)
    expect((await historyOf(id)).map(({ type, artifact, problem }) => [type, artifact, problem])).toEqual([
      ['ask', 'back_image', 'blurred'],
      ['ask', 'liveness_video', 'covered'],
      ['ask', 'back_image', 'glare'],
      ['claim', null, null],
    ])
    const events = await server.context.database
      .selectFrom('events')
      .where('object_id', '=', id)
      .select(['type', 'body'])
      .orderBy('event_id')
      .execute()
    expect(events.map(({ type }) => type)).toEqual(Array.from({ length: 3 }, () => 'verification.review'))
    expect(JSON.stringify(events.at(-1))).toContain('back_image_blurred')
  })

  test('leaves the decision to people', async () => {
    const id = await writeReview()
    await ask(id, { artifact: 'front_image', problem: 'cut_off' })
    expect(await post(reviewOf(id), { decision: 'approved' })).toMatchObject({ body: { status: 'approved' } })
    expect(await ask(id, { artifact: 'front_image', problem: 'cut_off' })).toMatchObject({ status: 409 })
    const { reasons } = (await get<Verification>(`/identity/verifications/${id}`)).body
    expect(reasons).toEqual([])
  })

  test('names what is wrong with the request, and changes nothing', async () => {
    const id = await writeReview()
    for (const [body, param] of [
      [{ artifact: 'selfie', problem: 'blurred' }, 'artifact'],
      [{ artifact: 'front_image', problem: 'ugly' }, 'problem'],
      [{ artifact: 'front_image' }, 'problem'],
    ] as const)
      expect(await ask(id, body)).toMatchObject({ status: 400, body: { error: { param } } })
    expect(await read(id)).toMatchObject({ waiting_for: 'reviewer' })
    expect(await historyOf(id)).toEqual([])
  })
})

describe('a decision', () => {
  test('tells the person why by the codes of those who agree, instead of what the checks found', async () => {
    const id = await writeReview('four-eyes')
    const vote = (reviewer: string, ...reasons: string[]) =>
      post<Verification & Refusal>(reviewOf(id), { decision: 'declined', reviewer, reasons })
    await vote('a', 'not_live')
    const { body } = await vote('b', 'document_unreadable', 'not_live')
    expect(body).toMatchObject({
      status: 'declined',
      resubmit: true,
      reasons: [
        { code: 'not_live', check: 'review', translations: { ne: { message: expect.any(String) } } },
        { code: 'document_unreadable', check: 'review', retryable: true },
      ],
    })
    expect((await historyOf(id)).map(({ reasons }) => reasons)).toEqual([
      ['document_unreadable', 'not_live'],
      ['not_live'],
    ])
    expect((await read(id)).checks).toEqual([CHECK, PLACED])
  })

  test('has a reason if it declines, and none if it approves', async () => {
    const [one, other] = [await writeReview(), await writeReview()]
    const declined = await post<Verification>(reviewOf(one), { decision: 'declined' })
    expect(declined.body).toMatchObject({ resubmit: false, reasons: [{ code: 'other', check: 'review' }] })
    const wrong = await post(reviewOf(other), { decision: 'approved', reasons: ['other'] })
    expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'reasons' } } })
    const approved = await post<Verification>(reviewOf(other), { decision: 'approved' })
    expect(approved.body).toMatchObject({ status: 'approved', reasons: [] })
  })

  test('of an earlier version says that people declined, not what the checks found', async () => {
    const id = await writeReview()
    await server.context.database
      .updateTable('verifications')
      .set({
        status: 'declined',
        reviewed_by: 'key_of_somebody',
        decided_at: new Date(0),
        reasons: JSON.stringify([
          {
            code: 'image_blurred',
            check: 'document_quality',
            outcome: 'failed',
            message: '',
            next_step: '',
            retryable: true,
          },
        ]),
      })
      .where('verification_id', '=', id)
      .execute()
    const { body } = await get<Verification>(`/identity/verifications/${id}`)
    expect(body).toMatchObject({ resubmit: false, reasons: [{ code: 'other' }] })
  })
})

describe('four eyes', () => {
  test('decide when two people agree', async () => {
    const id = await writeReview('four-eyes')
    const vote = (reviewer: string, decision: string) =>
      post<Verification>(reviewOf(id), { decision, reviewer })
    expect(await vote('a', 'approved')).toMatchObject({ status: 200, body: { status: 'review' } })
    // The same person twice is one person, and may change their mind.
    expect(await vote('a', 'approved')).toMatchObject({ body: { status: 'review' } })
    expect(await vote('a', 'declined')).toMatchObject({ body: { status: 'review' } })
    expect(await vote('b', 'approved')).toMatchObject({ body: { status: 'review' } })
    expect((await read(id)).votes).toMatchObject([
      { reviewer: 'a', decision: 'declined' },
      { reviewer: 'b', decision: 'approved' },
    ])
    expect(await vote('c', 'approved')).toMatchObject({ body: { status: 'approved' } })
    expect(await read(id)).toMatchObject({ reviewers_needed: 2, verification: { status: 'approved' } })
  })

  test('are not those of one key, whoever it names, unless it may vouch for them', async () => {
    const plain = await server.createKey(tenant.accountId, false, ['identity:read', 'identity:review'])
    const id = await writeReview('four-eyes')
    const vote = (by: string, reviewer?: string) =>
      server.json<Verification>(reviewOf(id), { key: by, body: { decision: 'approved', reviewer } })
    for (const reviewer of ['anna', 'ben', undefined])
      expect(await vote(plain, reviewer)).toMatchObject({ status: 200, body: { status: 'review' } })
    expect((await read(id)).votes).toMatchObject([{ decision: 'approved', reviewer: null }])
    const next = await server.json(`${QUEUE}/claim`, { key: plain, body: { reviewer: 'carl' } })
    expect(next).toMatchObject({ body: { review: null } })
    expect(await vote(key, 'anna')).toMatchObject({ body: { status: 'approved' } })
  })

  test('go to somebody who has not voted', async () => {
    const [one, other] = [await writeReview('four-eyes'), await writeReview('four-eyes')]
    expect(await claimNext('a')).toBe(one)
    await post(reviewOf(one), { decision: 'approved', reviewer: 'a' })
    expect(await claimNext('a')).toBe(other)
    expect(await claimNext('b')).toBe(one)
  })

  test('decide once, whoever is first', async () => {
    const id = await writeReview('four-eyes')
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((reviewer) => post(reviewOf(id), { decision: 'approved', reviewer })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
    expect((await read(id)).votes).toHaveLength(2)
  })
})

describe('the media of a verification', { tags: 'ffmpeg' }, () => {
  let image: Buffer
  let video: Buffer
  beforeAll(async () => {
    ;({ image, video } = await makeMedia())
  })

  async function submit(policy = 'default'): Promise<string> {
    const { body } = await post<Verification>('/identity/kyc/v2', {
      front_image_b64: image.toString('base64'),
      liveness_video_b64: video.toString('base64'),
    })
    await server.context.database
      .updateTable('verifications')
      .set({ status: 'review', policy })
      .where('verification_id', '=', body.verification_id)
      .execute()
    return body.verification_id
  }
  const look = (id: string, artifact: string) =>
    server.fetch(`${reviewOf(id)}/media?artifact=${artifact}&reviewer=a`, { key })

  test('is shown to reviewers, and each look is recorded', async () => {
    const id = await submit()
    const review = await read(id)
    expect(review.media.map(({ artifact }) => artifact)).toEqual(['front_image', 'liveness_video'])
    const film = await look(id, 'liveness_video')
    expect(Object.fromEntries(film.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(video.length),
      'cache-control': 'no-store',
    })
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(digest(await film.bytes())).toBe(digest(video))
    const picture = await look(id, 'front_image')
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect((await picture.bytes()).subarray(0, 3)).toEqual(Uint8Array.of(0xff, 0xd8, 0xff))
    expect((await look(id, 'back_image')).status).toBe(404)
    const { body } = await get<{ frames: { time_ms: number; image_b64: string }[] }>(
      `${reviewOf(id)}/frames?reviewer=a`,
    )
    expect(body.frames.map(({ time_ms }) => time_ms)).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000, 3500])
    expect(Buffer.from(body.frames[0]?.image_b64 ?? '', 'base64').subarray(0, 2)).toEqual(
      Buffer.of(0xff, 0xd8),
    )
    expect((await historyOf(id)).map(({ type, artifact, reviewer }) => [type, artifact, reviewer])).toEqual([
      ['look', 'liveness_video', 'a'],
      ['look', 'front_image', 'a'],
      ['look', 'liveness_video', 'a'],
    ])
  })

  test('has notes that no stored response repeats', async () => {
    const id = await submit('four-eyes')
    const once = <Body>(route: string, body: object = {}) =>
      server.json<Body>(route, { key, body, headers: { 'idempotency-key': route } })
    await post(reviewOf(id), { decision: 'approved', note: 'Ask again.', reviewer: 'b' })
    for (const route of [`${reviewOf(id)}/claim`, `${reviewOf(id)}/release`]) {
      expect((await once<Review>(route)).body.votes[0]?.note).toBe('Ask again.')
      expect((await once<Review>(route)).body.votes[0]).toMatchObject({ decision: 'approved', note: null })
    }
    expect((await once<{ review: Review }>(`${QUEUE}/claim`)).body.review.votes[0]?.note).toBe('Ask again.')
    const note = { note: 'Ask again.' }
    const first = await once<ReviewEntry>(`${reviewOf(id)}/notes`, note)
    expect(first.body.note).toBe('Ask again.')
    expect(await once(`${reviewOf(id)}/notes`, note)).toMatchObject({
      status: 201,
      body: { ...first.body, note: null },
    })
    const stored = await server.context.database.selectFrom('idempotency_keys').select('body').execute()
    expect(JSON.stringify(stored)).not.toContain('Ask again.')
  })

  test('is gone with its notes once it is erased, and who looked remains', async () => {
    const id = await submit()
    await look(id, 'front_image')
    const note = await post<ReviewEntry>(`${reviewOf(id)}/notes`, { note: 'Ask again.', reviewer: 'a' })
    expect(note).toMatchObject({ status: 201, body: { type: 'note', note: 'Ask again.', reviewer: 'a' } })
    expect(await historyOf(id)).toMatchObject([note.body, { type: 'look' }])
    const stored = await server.context.database.selectFrom('review_entries').select('note').execute()
    expect(stored.map((row) => row.note?.toString('latin1')).join()).not.toContain('Ask again.')

    expect(
      (await server.fetch(`/identity/verifications/${id}/media`, { method: 'DELETE', key })).status,
    ).toBe(204)
    expect((await look(id, 'front_image')).status).toBe(404)
    expect((await read(id)).media).toEqual([])
    expect(await historyOf(id)).toMatchObject([{ type: 'note', note: null }, { type: 'look' }])
    const refused = { status: 409, body: { error: { code: 'state_conflict' } } }
    expect(await post(`${reviewOf(id)}/notes`, { note: 'More.' })).toMatchObject(refused)
    expect(await post(reviewOf(id), { decision: 'approved', note: 'More.' })).toMatchObject(refused)
    expect((await post(reviewOf(id), { decision: 'approved' })).status).toBe(200)
  })
})
