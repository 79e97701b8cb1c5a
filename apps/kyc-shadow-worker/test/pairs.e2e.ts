import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SpoolEntry } from '../src/spool/entry.ts'
import { type ScriptedDeployment, startScriptedDeployment } from './support/scripted-deployment.ts'
import {
  createTestClock,
  openPlace,
  type Place,
  type RunningPairs,
  startPairs,
} from './support/start-pairs.ts'
import { acceptedAs, chunkOf, findFreePort, formOf, spoolSubmission } from './support/spool-submission.ts'
import { until } from '@vaani/test-services/until'

const HOUR_MS = 3_600_000
const PERSON = 'person-with-a-name-42'
const CALLERS_URL = 'https://caller.example/hooks'
const clock = createTestClock()

let place: Place
let primary: ScriptedDeployment
let candidate: ScriptedDeployment
let worker: RunningPairs
let port: number

beforeAll(async () => {
  place = await openPlace()
  primary = await startScriptedDeployment('primary', clock)
  candidate = await startScriptedDeployment('candidate', clock)
  port = await findFreePort()
  worker = await startWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await candidate?.[Symbol.asyncDispose]()
  await primary?.[Symbol.asyncDispose]()
  await place?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  primary.script = {}
  candidate.script = {}
  worker.evidence.length = 0
  worker.alerts.length = 0
  worker.flag.isKilled = false
})

const startWorker = (config: Parameters<typeof startPairs>[0]['config'] = {}) =>
  startPairs({
    place,
    clock,
    config: {
      port,
      primaryUrl: new URL(primary.url),
      candidateUrl: new URL(candidate.url),
      candidateApiKey: 'sk_test_of_the_shadow_at_the_candidate',
      primaryApiKey: 'sk_test_of_the_callers_at_the_primary',
      primaryOwnApiKey: 'sk_test_of_the_shadow_at_the_primary',
      callbackBaseUrl: new URL(`http://127.0.0.1:${port}`),
      callbackSecrets: { candidate: [candidate.secret], primary: [primary.secret] },
      sendTimeoutMs: 2000,
      sendsPerSecond: 100,
      ...config,
    },
  })

const WHOLE_FORM = {
  external_id: PERSON,
  callback_url: CALLERS_URL,
  front_image: 'front-bytes',
  back_image: 'back-bytes',
  liveness_video: 'video-bytes',
}

/** Puts a submission into the spool that the primary has accepted. */
const spool = async (changes: Partial<SpoolEntry> = {}, form = formOf(WHOLE_FORM)): Promise<string> =>
  spoolSubmission(worker, form, { answer: acceptedAs(await accept(), clock.nowMs()), ...changes })

/** Submits to the primary as a caller does. */
async function accept(): Promise<string> {
  const response = await fetch(`${primary.url}/identity/kyc/v1`, {
    method: 'POST',
    headers: { 'idempotency-key': worker.makeId('pair') },
    body: 'x',
  })
  const body = (await response.json()) as { verification_id: string }
  return body.verification_id
}

/** Waits for something, while the worker's time passes ten seconds at a time. */
const endedLater = (pairId: string, stepMs = 10_000) =>
  until(
    async () => {
      clock.advance(stepMs)
      return worker.pairs.find(pairId)
    },
    (pair) => pair !== null && pair.outcome !== 'waiting',
  )

const spooledFiles = () => Array.fromAsync(worker.spool.list())
const untilSpoolIsEmpty = () => until(spooledFiles, (files) => files.length === 0)

describe('a comparison', () => {
  test('agrees, with the same subject, a callback of ours, and nothing left in the spool', async () => {
    const pairId = await spool()
    const pair = await endedLater(pairId, 1000)
    expect(pair).toMatchObject({
      outcome: 'agreed',
      severity: null,
      v1: { ending: 'approved', id_confirmed: true, called_back: null, answer_ms: 40 },
      v2: { ending: 'approved', id_confirmed: true, called_back: true },
      fields: { full_name: 'equal' },
    })
    const sent = candidate.submissions.at(-1)
    expect(sent).toMatchObject({ path: '/identity/kyc/v2', idempotencyKey: pairId })
    const body = JSON.parse(sent?.body.toString() ?? '') as Record<string, unknown>
    expect(body).toMatchObject({
      external_id: PERSON,
      front_image_b64: Buffer.from('front-bytes').toString('base64'),
      options: { store_media: false },
    })
    expect(body['callback_url']).toBe(`http://127.0.0.1:${port}/callbacks/candidate?pair=${pairId}`)
    expect(worker.evidence).toMatchObject([{ outcome: 'agreed', v1: 'approved', v2: 'approved', epoch: 1 }])
    expect(worker.alerts).toEqual([])
    await untilSpoolIsEmpty()
  })

  test.each([
    ['approved', 'declined', 'worst'],
    ['review', 'approved', 'serious'],
    ['declined', 'review', 'mild'],
  ] as const)('of %s and %s is a mismatch that is %s, and raises an alert', async (v1, v2, severity) => {
    primary.script = { decision: v1 }
    candidate.script = { decision: v2, reasonCodes: ['image_glare'] }
    const pairId = await spool()
    const pair = await endedLater(pairId)
    expect(pair).toMatchObject({ outcome: 'mismatched', severity, v1: { ending: v1 }, v2: { ending: v2 } })
    expect(pair?.v2.reason_codes).toEqual(['image_glare'])
    expect(worker.alerts).toEqual([{ type: 'mismatch', stage: 'shadow-10', severity, pairId }])
    expect(worker.evidence).toMatchObject([{ outcome: 'mismatched', judged: { severity } }])
  })

  test('leaves out what a deployment decided by what it saw before', async () => {
    primary.script = { decision: 'review', reasonCodes: ['media_reused'] }
    expect(await endedLater(await spool())).toMatchObject({ outcome: 'agreed', v1: { ending: 'review' } })
  })

  test('keeps how what was read differs, and not what it was', async () => {
    candidate.script = { extracted: { full_name: 'Max Anders', surname: 'Anders' } }
    const pairId = await spool()
    expect(await endedLater(pairId)).toMatchObject({
      outcome: 'agreed',
      fields: { full_name: 'different', surname: 'only_candidate' },
    })
    const { rows } = await sql<{ text: string }>`select pairs::text from pairs`.execute(
      worker.context.database,
    )
    expect(JSON.stringify(rows)).not.toMatch(/Anders|Mustermann/)
  })

  test.each([
    ['spoof_detected', false],
    ['media_unreadable', true],
  ])('of two refusals, v2 with %s', async (errorCode, differs) => {
    candidate.script = { submit: 422, errorCode }
    const answer = {
      status: 422,
      verificationId: null,
      errorCode: 'spoof_detected',
      answerMs: 9,
      answeredAtMs: clock.nowMs(),
    }
    expect(await endedLater(await spool({ answer }), 0)).toMatchObject({
      outcome: 'agreed',
      differs_in_code: differs,
      v2: { ending: 'refused', error_code: errorCode, verification_id: null },
    })
  })

  test('is not made if the first answer was about the key of the caller', async () => {
    const before = candidate.submissions.length
    const answer = {
      status: 401,
      verificationId: null,
      errorCode: 'unauthorized',
      answerMs: 1,
      answeredAtMs: clock.nowMs(),
    }
    expect(await endedLater(await spool({ answer }), 0)).toMatchObject({ outcome: 'not_sent' })
    await untilSpoolIsEmpty()
    expect(candidate.submissions).toHaveLength(before)
  })
})

describe('a candidate', () => {
  const sentFor = (pairId: string) =>
    candidate.submissions.filter(({ idempotencyKey }) => idempotencyKey === pairId)

  test.each([
    ['answers 500', { submit: 500 }, 1],
    ['answers garbage', { submit: 'garbage' }, 1],
    ['is away for long', { submit: 503 }, 4],
  ] as const)('that %s has failed', async (_, script, attempts) => {
    candidate.script = script
    const pairId = await spool()
    expect(await endedLater(pairId)).toMatchObject({ outcome: 'candidate_failed', v2: { ending: 'failed' } })
    expect(sentFor(pairId)).toHaveLength(attempts)
    expect(worker.evidence).toMatchObject([{ judged: { trials: { candidate_errors: true } } }])
    await untilSpoolIsEmpty()
  })

  test.each([
    ['loses the connection', 'reset'],
    ['does not answer in time', 'hang'],
    ['limits our rate', 429],
    ['asks to come again', 503],
  ] as const)('that %s once gets the same submission again', async (_, first) => {
    candidate.script = { submit: (attempt) => (attempt === 1 ? first : 200) }
    const pairId = await spool()
    expect(await endedLater(pairId, 1000)).toMatchObject({ outcome: 'agreed' })
    const [one, other] = sentFor(pairId)
    expect(other?.body).toEqual(one?.body)
    expect(sentFor(pairId)).toHaveLength(2)
  })

  test('that forgets the id is unreadable', async () => {
    candidate.script = { forgets: true }
    expect(await endedLater(await spool())).toMatchObject({
      outcome: 'unreadable',
      v2: { id_confirmed: false, called_back: true },
    })
  })

  test('that does not decide is unfinished after a day', async () => {
    candidate.script = { decision: 'pending' }
    const pairId = await spool()
    await until(
      () => worker.pairs.find(pairId),
      (pair) => pair !== null && pair.v2.verification_id !== null,
    )
    expect(await endedLater(pairId, HOUR_MS)).toMatchObject({
      outcome: 'unfinished',
      v2: { ending: 'unfinished', called_back: null },
    })
    expect(worker.evidence).toMatchObject([{ judged: { trials: { unfinished_pairs: true } } }])
  })
})

describe('a callback', () => {
  test.each(['never', 'forged'] as const)('that is %s genuine leaves it missing', async (callback) => {
    candidate.script = { callback }
    expect(await endedLater(await spool())).toMatchObject({
      outcome: 'callback_missing',
      v2: { ending: 'approved', called_back: false, id_confirmed: true },
    })
    expect(worker.evidence).toMatchObject([{ judged: { trials: { missing_callbacks: true } } }])
  })

  test('that comes before the answer is not lost', async () => {
    candidate.script = { callback: 'before_answer' }
    expect(await endedLater(await spool(), 1000)).toMatchObject({
      outcome: 'agreed',
      v2: { called_back: true },
    })
  })

  test('that comes twice, or again after the end, counts once', async () => {
    candidate.script = { callback: 'twice' }
    const pair = await endedLater(await spool(), 1000)
    expect(pair).toMatchObject({ outcome: 'agreed' })
    expect(await candidate.callBack(pair?.v2.verification_id ?? '')).toBe(204)
    expect(worker.evidence).toHaveLength(1)
  })

  test.each([
    ['without a signature', {}],
    ['with a signature of something else', { 'x-service-signature': '00'.repeat(32) }],
  ])('%s is refused', async (_, headers) => {
    const response = await fetch(`${worker.address}/callbacks/candidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_signature' } })
  })

  test('that is too large is refused', async () => {
    const body = 'x'.repeat(300_000)
    const response = await fetch(`${worker.address}/callbacks/primary`, { method: 'POST', body })
    expect(response.status).toBe(413)
  })
})

describe('the media', () => {
  test('goes to v1 a second time to measure noise, and never calls the caller back', async () => {
    primary.script = { decision: 'declined' }
    const sentBefore = candidate.submissions.length
    const pairId = await spool({ kind: 'noise' })
    primary.script = { decision: 'approved' }
    expect(await endedLater(pairId)).toMatchObject({
      kind: 'noise',
      outcome: 'mismatched',
      severity: 'worst',
    })
    const sent = primary.submissions.at(-1)
    expect(sent).toMatchObject({ path: '/identity/kyc/v1', idempotencyKey: `${pairId}-v2` })
    expect(sent?.authorization).toContain('of_the_shadow_at_the_primary')
    expect(sent?.body.toString()).toContain('front-bytes')
    expect(sent?.body.toString()).not.toContain(CALLERS_URL)
    expect(candidate.submissions).toHaveLength(sentBefore)
    expect(worker.evidence).toMatchObject([{ kind: 'noise' }])
    expect(worker.alerts).toEqual([])
  })

  test('goes to v1 if v2 answered the caller', async () => {
    const accepted = await fetch(`${candidate.url}/identity/kyc/v2`, {
      method: 'POST',
      headers: { 'idempotency-key': worker.makeId('pair') },
      body: '{}',
    })
    const { verification_id: verificationId } = (await accepted.json()) as { verification_id: string }
    const answer = { status: 200, verificationId, errorCode: null, answerMs: 20, answeredAtMs: clock.nowMs() }
    const pairId = await spool({ stage: 'live', answeredBy: 'v2', answer })
    expect(await endedLater(pairId)).toMatchObject({
      outcome: 'agreed',
      v1: { ending: 'approved', id_confirmed: true },
      v2: { verification_id: verificationId, called_back: null },
    })
    expect(primary.submissions.at(-1)?.body.toString()).not.toContain(CALLERS_URL)
  })

  test('of a replay goes to v1 first, then to v2', async () => {
    const pairId = await spool({ answer: null })
    expect(await endedLater(pairId)).toMatchObject({ outcome: 'agreed' })
    expect(primary.submissions.at(-1)?.idempotencyKey).toBe(`${pairId}-v1`)
    expect(candidate.submissions.at(-1)?.idempotencyKey).toBe(pairId)
    await untilSpoolIsEmpty()
  })

  test('that is no form is not sent', async () => {
    const form = { contentType: 'multipart/form-data; boundary=yy', body: Buffer.from('not a form') }
    expect(await endedLater(await spool({}, form), 0)).toMatchObject({ outcome: 'not_sent' })
    await untilSpoolIsEmpty()
  })

  test('is removed with an entry that cannot be read, which is counted', async () => {
    const pairId = worker.makeId('pair')
    await worker.spool.putMedia(pairId, chunkOf(Buffer.from('x')))
    await worker.context.blobs.put(`shadow/spool/${pairId}.entry`, Buffer.alloc(100), { maxBytes: 1000 })
    await untilSpoolIsEmpty()
    // It is counted once the files are gone.
    await until(
      async () => worker.context.events.counts().pair_entry_damaged,
      (count) => count === 1,
    )
    expect(await worker.pairs.find(pairId)).toBeNull()
  })

  test('waits while the kill switch is engaged, and is removed when it is too old', async () => {
    worker.flag.isKilled = true
    const before = candidate.submissions.length
    const [early, late] = [await spool(), await spool()]
    await until(
      () => worker.pairs.find(late),
      (pair) => pair !== null,
    )
    const { send_at } = await worker.context.database
      .selectFrom('pairs')
      .where('pair_id', '=', late)
      .select('send_at')
      .executeTakeFirstOrThrow()
    // A claim would have postponed it.
    expect(send_at?.getTime()).toBeLessThanOrEqual(clock.nowMs())
    expect(candidate.submissions).toHaveLength(before)
    clock.advance(HOUR_MS)
    expect(await endedLater(early, 0)).toMatchObject({ outcome: 'not_sent' })
    expect(await endedLater(late, 0)).toMatchObject({ outcome: 'not_sent' })
    await untilSpoolIsEmpty()
    worker.flag.isKilled = false
    expect(await endedLater(await spool(), 1000)).toMatchObject({ outcome: 'agreed' })
    expect(candidate.submissions).toHaveLength(before + 1)
  })

  test('is not sent again if the previous version sent it, which does not note that nothing is left', async () => {
    const pairId = await spool()
    expect(await endedLater(pairId, 1000)).toMatchObject({ outcome: 'agreed' })
    const before = candidate.submissions.length
    const { database } = worker.context
    await sql`update pairs set send_at = default where pair_id = ${pairId}`.execute(database)
    await until(
      () =>
        database
          .selectFrom('pairs')
          .where('pair_id', '=', pairId)
          .select(['send_at', 'worker_id'])
          .executeTakeFirstOrThrow(),
      (pair) => pair.send_at === null && pair.worker_id === null,
    )
    expect(candidate.submissions).toHaveLength(before)
  })

  test('without an entry is swept', async () => {
    const pairId = worker.makeId('pair')
    await worker.spool.putMedia(pairId, chunkOf(Buffer.from('x')))
    await worker.context.sweep()
    expect(await spooledFiles()).toHaveLength(1)
    clock.advance(HOUR_MS)
    await worker.context.sweep()
    expect(await spooledFiles()).toEqual([])
  })
})

test('nothing of a person is logged', () => {
  expect(worker.lines.join('')).toMatch(/pair_ended/)
  expect(worker.lines.join('')).not.toMatch(/person-with|Mustermann|caller\.example|front-bytes/)
})
