import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Id } from '@vaani/contracts'
import { sql } from 'kysely'
import { byIndex } from '@vaani/service-kit/database/by-index'
import { programFile } from '@vaani/test-services'
import { expect, onTestFinished, test } from 'vitest'
import { listQuery } from '../src/features/pairs/pair-store.ts'
import { isSampled } from '../src/rules/sampling/sample.ts'
import { samplingKeyOf } from '../src/sampling-key.ts'
import { startScriptedDeployment } from './support/scripted-deployment.ts'
import { acceptedAs, findFreePort, formOf, spoolSubmission } from './support/spool-submission.ts'
import { ADMIN_KEY, createTestClock, openPlace, startPairs } from './support/start-pairs.ts'
import { startTestWorker } from './support/start-test-worker.ts'
import { until } from '@vaani/test-services/until'

const DAY_MS = 86_400_000
const FORM = {
  external_id: 'person-42',
  front_image: 'front',
  back_image: 'back',
  liveness_video: 'video',
}

async function startWorld() {
  const held = new AsyncDisposableStack()
  onTestFinished(() => held.disposeAsync())
  const clock = createTestClock()
  const place = held.use(await openPlace())
  const primary = held.use(await startScriptedDeployment('primary', clock))
  const candidate = held.use(await startScriptedDeployment('candidate', clock))
  const start = async (config: Parameters<typeof startPairs>[0]['config'] = {}) => {
    const port = await findFreePort()
    return held.use(
      await startPairs({
        place,
        clock,
        config: {
          port,
          primaryUrl: new URL(primary.url),
          candidateUrl: new URL(candidate.url),
          primaryApiKey: 'sk_test_of_the_callers_at_the_primary',
          callbackBaseUrl: new URL(`http://127.0.0.1:${port}`),
          callbackSecrets: { candidate: [candidate.secret], primary: [primary.secret] },
          sendsPerSecond: 1000,
          ...config,
        },
      }),
    )
  }
  type Worker = Pick<Awaited<ReturnType<typeof start>>, 'context'>
  const shadow = (worker: Worker) =>
    spoolSubmission(worker, formOf(FORM), {
      // Refused by the primary, so that a pair is over as soon as it was sent.
      answer: {
        ...acceptedAs('', clock.nowMs()),
        status: 422,
        verificationId: null,
        errorCode: 'spoof_detected',
      },
    })
  const ended = (worker: Worker, pairId: string) =>
    until(
      () => worker.context.pairs.find(pairId),
      (pair) => pair !== null && pair.outcome !== 'waiting',
    )
  return { clock, place, primary, candidate, start, shadow, ended, held }
}

test('several workers send and count each submission once', async () => {
  const { candidate, start, shadow, ended } = await startWorld()
  candidate.script = { submit: 422, errorCode: 'spoof_detected' }
  const workers = await Promise.all([start(), start(), start()])
  const [first] = workers
  const pairIds = await Promise.all(Array.from({ length: 40 }, () => shadow(first)))
  for (const pairId of pairIds) expect(await ended(first, pairId)).toMatchObject({ outcome: 'agreed' })
  expect(candidate.submissions.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual(
    pairIds.toSorted(),
  )
  expect(workers.flatMap(({ evidence }) => evidence)).toHaveLength(40)
  expect(await first.pairs.describe()).toMatchObject({ waiting: 0, sent_today: 40 })
  await until(
    () => Array.fromAsync(first.spool.list()),
    (files) => files.length === 0,
  )
})

test('no more is sent in a day than its budget allows', async () => {
  const { clock, candidate, start, shadow, ended } = await startWorld()
  candidate.script = { submit: 422 }
  const worker = await start({ dailyBudget: 2 })
  const today = await Promise.all([shadow(worker), shadow(worker), shadow(worker)])
  const pairs = await Promise.all(today.map((pairId) => ended(worker, pairId)))
  expect(pairs.map((pair) => pair?.outcome).toSorted()).toEqual(['agreed', 'agreed', 'not_sent'])
  expect(candidate.submissions).toHaveLength(2)
  expect(await worker.pairs.describe()).toMatchObject({ sent_today: 2, daily_budget: 2 })
  clock.advance(DAY_MS)
  expect(await ended(worker, await shadow(worker))).toMatchObject({ outcome: 'agreed' })
})

test('a decision of the primary counts that came before its submission was taken in', async () => {
  const { clock, primary, start, ended } = await startWorld()
  const worker = await start({ primaryApiKey: undefined })
  const form = formOf({ ...FORM, callback_url: `${worker.address}/callbacks/primary` })
  const response = await fetch(`${primary.url}/identity/kyc/v1`, {
    method: 'POST',
    headers: { 'content-type': form.contentType },
    body: new Uint8Array(form.body),
  })
  const { verification_id: id } = (await response.json()) as { verification_id: string }
  await until(
    () => worker.context.events.counts(),
    // The callback was answered, and belongs to no pair so far.
    () => primary.calledBack.includes(id),
  )
  const pairId = await spoolSubmission(worker, form, { answer: acceptedAs(id, clock.nowMs()) })
  expect(await ended(worker, pairId)).toMatchObject({
    outcome: 'agreed',
    v1: { ending: 'approved', id_confirmed: null },
  })
  expect(primary.reads).toEqual([])
})

test('old pairs are deleted, and those that are not over are kept', async () => {
  const { clock, candidate, start, shadow, ended } = await startWorld()
  candidate.script = { submit: 422 }
  const worker = await start()
  const pairId = await shadow(worker)
  await ended(worker, pairId)
  clock.advance(91 * DAY_MS)
  await worker.context.sweep()
  expect(await worker.pairs.find(pairId)).toBeNull()
})

test('lists read by index, whatever is wanted', async () => {
  const { start } = await startWorld()
  const worker = await start()
  const { database } = worker.context
  await sql`
    insert into pairs (pair_id, kind, stage, epoch, answered_by, received_at, ended_at, outcome, sides, severity, acknowledged_at)
    select 'pair_' || lpad(number::text, 26, '0'), case number % 50 when 0 then 'noise' else 'comparison' end, 'shadow-10', 1, 'v1',
      now(), now(), case number % 1000 when 0 then 'mismatched' when 1 then 'unreadable' else 'agreed' end,
      '{"v1":{"reasonCodes":[]},"v2":{"reasonCodes":[]}}',
      case number % 1000 when 0 then 'worst' end, case when number % 2000 = 0 then now() end
    from generate_series(1, 20000) as series (number)`.execute(database)
  await sql`analyze pairs`.execute(database)
  const of = async (filter: Parameters<typeof worker.pairs.list>[0]) =>
    (await worker.pairs.list(filter)).length
  expect(await of({ limit: 5 })).toBe(5)
  expect(await of({ limit: 20, outcome: 'unreadable' })).toBe(20)
  expect(await of({ limit: 100, severity: 'worst' })).toBe(20)
  expect(await of({ limit: 100, isOpen: true })).toBe(10)
  expect(await of({ limit: 100, isOpen: true, severity: 'mild' })).toBe(0)
  expect(await of({ limit: 5, kind: 'noise', outcome: 'unreadable' })).toBe(0)
  expect(await of({ limit: 5, kind: 'noise' })).toBe(5)
  const [last] = await worker.pairs.list({ limit: 1, isOpen: true })
  expect(await of({ limit: 100, isOpen: true, cursor: last?.pair_id })).toBe(9)
  const filters: Parameters<typeof listQuery>[0][] = [
    { limit: 5 },
    { limit: 5, cursor: last?.pair_id },
    { limit: 5, outcome: 'unreadable' },
    { limit: 5, kind: 'noise' },
    { limit: 5, severity: 'worst', cursor: last?.pair_id },
    { limit: 5, isOpen: true },
    { limit: 5, isOpen: true, kind: 'noise', outcome: 'mismatched', severity: 'mild' },
  ]
  for (const filter of filters) {
    const lines = await byIndex(database, async (tx) => {
      const { rows } = await sql<Record<string, string>>`explain ${listQuery(filter)}`.execute(tx)
      return rows.flatMap((row) => Object.values(row))
    })
    expect(lines.join('\n')).toMatch(/Index Scan .*on pairs/)
    expect(lines.join('\n')).not.toMatch(/Seq Scan on pairs|Filter:/)
  }
})

test.for<[what: string, contentType: string, body: string, status: number]>([
  [
    'breaks off in a file',
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="document_front"; filename="a.jpg"\r\n\r\nabc',
    400,
  ],
  ['breaks off between parts', 'multipart/form-data; boundary=x', '--x\r\n', 400],
  ['has no boundary', 'multipart/form-data', 'abc', 415],
])('a form of a submission that %s is refused, and nothing of it is kept', async ([, type, body, status]) => {
  const { start } = await startWorld()
  const worker = await start()
  worker.flag.stage = 'shadow-100'
  const response = await fetch(`${worker.address}/migration/submissions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': type },
    body,
  })
  expect(response.status).toBe(status)
  await until(
    () => Array.fromAsync(worker.spool.list()),
    (files) => files.length === 0,
  )
})

test('a submission is taken in over HTTP if it is in the sample', async () => {
  const { candidate, primary, start, ended } = await startWorld()
  candidate.script = { submit: 422, errorCode: 'spoof_detected' }
  primary.script = { submit: 422, errorCode: 'spoof_detected' }
  const worker = await start()
  const key = samplingKeyOf(worker.context.vault)
  const subjectThat = (isIn: boolean) => {
    for (let number = 0; ; number++)
      if (isSampled(`person-${number}`, 0.01, key) === isIn) return `person-${number}`
  }
  worker.flag.stage = 'shadow-1'
  const submit = async (parts: Record<string, string>, headers: Record<string, string> = {}) => {
    const form = formOf(parts)
    const response = await fetch(`${worker.address}/migration/submissions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': form.contentType, ...headers },
      body: new Uint8Array(form.body),
    })
    return {
      status: response.status,
      body: (await response.json()) as { pair_id: Id<'pair'>; sampled: boolean },
    }
  }
  const whole = { ...FORM, external_id: subjectThat(true) }
  const stored = await submit(whole, { 'idempotency-key': 'one' })
  expect(stored).toMatchObject({ status: 202, body: { sampled: true } })
  expect(await submit(whole, { 'idempotency-key': 'one' })).toEqual(stored)
  expect(await ended(worker, stored.body.pair_id)).toMatchObject({ outcome: 'agreed', stage: 'shadow-1' })
  expect(primary.submissions).toHaveLength(1)
  const answered = { ...whole, answered_by: 'v1', verification_id: 'ver_1' }
  const shadowed = await submit(answered)
  await until(
    () => worker.pairs.find(shadowed.body.pair_id),
    (pair) => pair !== null && pair.v2.ending === 'refused',
  )
  expect(candidate.submissions.at(-1)?.body.toString()).not.toContain('ver_1')
  expect(await submit({ ...FORM, external_id: subjectThat(false) })).toEqual({
    status: 202,
    body: { pair_id: null, sampled: false },
  })
  const { liveness_video: _, ...partial } = whole
  expect(await submit(partial)).toMatchObject({ status: 400, body: { error: { code: 'missing_artifact' } } })
  expect(await submit({ ...whole, surprise: 'x' })).toMatchObject({ status: 400 })
  expect(await submit({ ...whole, answered_by: 'v1' })).toMatchObject({
    status: 400,
    body: { error: { param: 'verification_id' } },
  })
  worker.flag.isKilled = true
  expect(await submit(whole)).toMatchObject({ status: 409 })
  worker.flag.isKilled = false
  worker.flag.stage = 'off'
  expect(await submit(whole)).toMatchObject({ status: 409 })
  await until(
    () => Array.fromAsync(worker.spool.list()),
    (files) => files.length === 0,
  )
})

/** Starts the worker as an operator does, on a place that other workers share. */
async function startProcess(environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=vaani-source', programFile('shadow-worker'), 'worker'],
    {
      env: { PATH: process.env['PATH'], VAANI_PARENT_PIPE: '3', ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  )
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let text = ''
  for await (const chunk of child.stdout ?? []) if ((text += String(chunk)).includes('"started"')) break
  child.stdout?.resume()
  return child
}

test('a worker that is killed while it sends leaves nothing undone and does nothing twice', async () => {
  const { candidate, shadow, held } = await startWorld()
  const watching = held.use(await startTestWorker({ environment: { VAANI_ROLES: 'api' } }))
  const environment = {
    DATABASE_URL: watching.config.databaseUrl ?? '',
    VAANI_DATA_DIR: watching.config.dataDirectory,
    PORT: '0',
    VAANI_SHADOW_PRIMARY_URL: candidate.url,
    VAANI_SHADOW_CANDIDATE_URL: candidate.url,
    VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_of_the_shadow_at_the_candidate',
    VAANI_SHADOW_INITIAL_STAGE: 'shadow-100',
  }
  candidate.script = { submit: (attempt) => (attempt === 1 ? 'hang' : 422) }
  const killed = await startProcess(environment)
  const pairIds = [await shadow(watching), await shadow(watching)]
  await until(
    () => candidate.submissions.length,
    (count) => count === 2,
  )
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await startProcess(environment)
  for (const pairId of pairIds)
    // Its lease expires after 15 s.
    expect(
      await until(
        () => watching.context.pairs.find(pairId),
        (pair) => pair?.outcome === 'agreed',
      ),
    ).toMatchObject({ outcome: 'agreed' })
  for (const pairId of pairIds) {
    const [one, other, ...more] = candidate.submissions.filter(
      ({ idempotencyKey }) => idempotencyKey === pairId,
    )
    expect(other?.body).toEqual(one?.body)
    expect(more).toEqual([])
  }
  const { rows } = await sql<{ pairs: number }>`
    select sum(pairs)::float8 as pairs from evidence_counts where subject = 'outcome'`.execute(
    watching.context.database,
  )
  expect(rows).toEqual([{ pairs: 2 }])
  // A process that is killed between the end of a pair and this leaves it to the sweep.
  await until(
    () => Array.fromAsync(watching.context.spool.list()),
    (files) => files.length === 0,
  )
})
