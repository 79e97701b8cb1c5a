/** The evidence, the flag and the administration of a migration. */
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createId, type ErrorBody } from '@vaani/contracts'
import type { Migration, MigrationChange, MigrationReport, Pair, Stage } from '@vaani/contracts/migration'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { publishFlag, readPublishedFlag } from '../src/published-flag/published-flag.ts'
import { countMany, endedPair } from './support/ended-pairs.ts'
import { makePair, storePairs } from './support/store-pairs.ts'
import { startTestWorker, type TestWorker } from './support/start-test-worker.ts'
import { until } from '@vaani/test-services/until'

/** Pairs without an event that are enough to promote. */
const ENOUGH = 4500

let cleanUp: AsyncDisposableStack
beforeEach(() => {
  cleanUp = new AsyncDisposableStack()
})
afterEach(() => cleanUp.disposeAsync())

const start = async (options: Parameters<typeof startTestWorker>[0] = {}): Promise<TestWorker> =>
  cleanUp.use(await startTestWorker(options))

const change = (worker: TestWorker, stage: Stage, more: object = {}) =>
  worker.send<Migration & ErrorBody>('PUT', '/migration/stage', {
    body: { stage, reason: 'The plan', ...more },
  })
const retrieve = async (worker: TestWorker) => (await worker.send<Migration>('GET', '/migration')).body
const listChanges = async (worker: TestWorker) =>
  (await worker.send<{ data: MigrationChange[] }>('GET', '/migration/changes')).body.data
const readPublished = ({ context }: TestWorker) => readPublishedFlag(context.blobs)

describe('the stage', () => {
  test('is the initial one until somebody changes it', async () => {
    const worker = await start({ environment: { VAANI_SHADOW_INITIAL_STAGE: 'shadow-1' } })
    expect(await retrieve(worker)).toMatchObject({
      stage: 'shadow-1',
      answers: 'v1',
      shadow_share: 0.01,
      kill_switch: { engaged: false, source: null },
      flag_source: 'table',
      changed_by: 'settings',
      verdict: { advice: 'not_enough_evidence', missing_pairs: 4463, pairs_per_day: null },
      pairs: { ended: 0 },
    })
    expect(await readPublished(worker)).toEqual({ stage: 'shadow-1', isKilled: false, epoch: 1, revision: 1 })
    expect(await listChanges(worker)).toEqual([])
    // The setting only counts at the first start.
    const later = await start({ beside: worker, environment: { VAANI_SHADOW_INITIAL_STAGE: 'live' } })
    expect((await retrieve(later)).stage).toBe('shadow-1')
  })

  test('is changed with its author, its reason and the evidence of that moment', async () => {
    const worker = await start()
    const changed = await change(worker, 'shadow-10', { actor: 'asha' })
    expect(changed).toMatchObject({ status: 200, body: { stage: 'shadow-10', changed_by: 'asha' } })
    expect(await readPublished(worker)).toMatchObject({ stage: 'shadow-10', revision: 2, epoch: 1 })
    expect(await listChanges(worker)).toMatchObject([
      {
        kind: 'stage',
        actor: 'asha',
        reason: 'The plan',
        from_stage: 'off',
        to_stage: 'shadow-10',
        kill_switch: null,
        forced: false,
        verdict: { advice: 'not_enough_evidence' },
      },
    ])
    // Changing it to what it is writes no history.
    expect((await change(worker, 'shadow-10')).status).toBe(200)
    expect(await listChanges(worker)).toHaveLength(1)
  })

  test('goes live on the advice to promote, and back at any time', async () => {
    const worker = await start()
    await change(worker, 'shadow-100')
    await countMany(worker, ENOUGH)
    await until(
      () => retrieve(worker),
      ({ verdict }) => verdict.advice === 'promote',
    )
    expect(await change(worker, 'live')).toMatchObject({
      status: 200,
      body: { answers: 'v2', shadow_share: 1 },
    })
    expect((await change(worker, 'complete')).body.stage).toBe('complete')
    expect((await change(worker, 'shadow-25')).body).toMatchObject({ stage: 'shadow-25', answers: 'v1' })
    const changes = await listChanges(worker)
    expect(changes.map(({ forced }) => forced)).toEqual([false, false, false, false])
    expect(changes[2]?.verdict).toMatchObject({ advice: 'promote', missing_pairs: 0 })
  })

  test('is refused without evidence, which changes nothing, unless it is forced', async () => {
    const worker = await start()
    const refused = await change(worker, 'live')
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'state_conflict' } } })
    expect(refused.body.error.message).toMatch(
      /^The evidence does not support live\. Not enough evidence: 4,463 more pairs\./,
    )
    expect(await listChanges(worker)).toEqual([])
    expect(await readPublished(worker)).toMatchObject({ stage: 'off', revision: 1 })

    expect(await change(worker, 'live', { force: true })).toMatchObject({
      status: 200,
      body: { stage: 'live' },
    })
    expect(await listChanges(worker)).toMatchObject([{ to_stage: 'live', forced: true }])
  })

  test('is the same for two workers', async () => {
    const one = await start()
    const other = await start({ beside: one })
    await change(one, 'shadow-50')
    await until(
      () => retrieve(other),
      ({ stage }) => stage === 'shadow-50',
    )
    expect(other.context.flag.current()).toEqual(one.context.flag.current())
  })

  test('changed by many at once, has a history without a gap', async () => {
    const one = await start()
    const other = await start({ beside: one })
    const stages: Stage[] = ['shadow-1', 'shadow-10', 'shadow-25', 'shadow-50', 'shadow-100', 'off']
    const answers = await Promise.all(
      stages.map((stage, index) => change(index % 2 === 0 ? one : other, stage)),
    )
    const made = answers.filter(({ status }) => status === 200).length
    const changes = (await listChanges(one)).toReversed()
    expect(changes.length).toBeGreaterThan(0)
    // To change the stage to what it is already is answered too, and is no change.
    expect(changes.length).toBeLessThanOrEqual(made)
    const ends = changes.map(({ to_stage }) => to_stage)
    expect(changes.map(({ from_stage }) => from_stage)).toEqual(['off', ...ends.slice(0, -1)])
    await until(
      () => readPublished(one),
      (flag) => flag?.stage === ends.at(-1) && flag?.revision === 1 + changes.length,
    )
  })
})

describe('a rollback', () => {
  test('goes to one percent of shadow with new evidence, and does nothing there', async () => {
    const worker = await start()
    await change(worker, 'live', { force: true })
    await countMany(worker, 10)
    const rolledBack = await worker.send<Migration>('POST', '/migration/rollback', {
      body: { reason: 'Complaints', actor: 'asha' },
    })
    expect(rolledBack).toMatchObject({
      status: 200,
      body: { stage: 'shadow-1', answers: 'v1', changed_by: 'asha', pairs: { ended: 0 } },
    })
    expect(await readPublished(worker)).toMatchObject({ stage: 'shadow-1', epoch: 2 })
    expect((await worker.send('POST', '/migration/rollback', { body: { reason: 'Again' } })).status).toBe(200)
    expect((await listChanges(worker)).map(({ kind }) => kind)).toEqual(['rollback', 'stage'])
  })

  test('comes by itself if the evidence says so, once for all workers, and new evidence begins', async () => {
    const one = await start()
    await start({ beside: one })
    await change(one, 'live', { force: true })
    await countMany(one, 100, { stage: 'live', events: ['worst_mismatches', 'serious_mismatches'] })
    const migration = await until(
      () => retrieve(one),
      ({ stage }) => stage === 'shadow-1',
    )
    expect(migration).toMatchObject({ changed_by: 'gate', verdict: { advice: 'not_enough_evidence' } })
    const [rollback, ...others] = await listChanges(one)
    expect(others).toHaveLength(1)
    expect(rollback).toMatchObject({
      kind: 'rollback',
      actor: 'gate',
      from_stage: 'live',
      verdict: { advice: 'roll_back' },
    })
    expect(rollback?.reason).toMatch(/^Roll back\. One side approved what the other declined/)
  })

  test('leaves the stage of a person who forced it against that advice, until there is new evidence', async () => {
    const worker = await start()
    await countMany(worker, 100, { events: ['worst_mismatches'] })
    expect((await change(worker, 'shadow-10')).status).toBe(409)
    expect(await change(worker, 'shadow-10', { force: true })).toMatchObject({
      status: 200,
      body: { stage: 'shadow-10', verdict: { advice: 'not_enough_evidence' } },
    })
    expect(await readPublished(worker)).toMatchObject({ stage: 'shadow-10', epoch: 2 })
  })
})

test('evidence starts anew when it is restarted, and the old one stays in the history', async () => {
  const worker = await start()
  await countMany(worker, ENOUGH)
  const before = await retrieve(worker)
  const restarted = await worker.send<Migration>('POST', '/migration/evidence/restart', {
    body: { reason: 'Release 2.4.1' },
  })
  expect(restarted.body).toMatchObject({
    stage: 'off',
    pairs: { ended: 0 },
    verdict: { advice: 'not_enough_evidence' },
    changed_by: before.changed_by,
    changed_at: before.changed_at,
  })
  expect(Date.parse(restarted.body.evidence_since)).toBeGreaterThan(Date.parse(before.evidence_since))
  expect(await listChanges(worker)).toMatchObject([
    { kind: 'evidence_restart', reason: 'Release 2.4.1', verdict: { advice: 'promote' } },
  ])
  // A pair of a submission from before belongs to the old evidence.
  await countMany(worker, 5, { epoch: 1 })
  expect((await retrieve(worker)).pairs.ended).toBe(0)
})

describe('the kill switch', () => {
  const setSwitch = (worker: TestWorker, engaged: boolean) =>
    worker.send<Migration & ErrorBody>('PUT', '/migration/kill-switch', {
      body: { engaged, reason: 'An attack' },
    })

  test('is engaged and released through the API, in every process', async () => {
    const one = await start()
    const other = await start({ beside: one })
    expect((await setSwitch(one, true)).body.kill_switch).toEqual({ engaged: true, source: 'api' })
    expect(await readPublished(one)).toMatchObject({ isKilled: true })
    await until(
      () => other.context.flag.current(),
      ({ isKilled }) => isKilled,
    )
    expect((await setSwitch(other, false)).body.kill_switch).toEqual({ engaged: false, source: null })
    expect(await listChanges(one)).toMatchObject([{ kill_switch: false }, { kill_switch: true }])
  })

  test('is engaged by a file, which the API cannot release', async () => {
    const worker = await start()
    const file = path.join(worker.config.dataDirectory, 'kill')
    await writeFile(file, '')
    await until(
      () => retrieve(worker),
      ({ kill_switch }) => kill_switch.source === 'file',
    )
    const refused = await setSwitch(worker, false)
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'state_conflict' } } })
    expect(refused.body.error.message).toContain('remove it')
    await until(
      () => readPublished(worker),
      (flag) => flag?.isKilled === true,
    )
    await rm(file)
    await until(
      () => readPublished(worker),
      (flag) => flag?.isKilled === false,
    )
    expect(await listChanges(worker)).toEqual([])
  })

  test('is engaged by the environment', async () => {
    const worker = await start({ environment: { VAANI_SHADOW_KILL: '1' } })
    expect((await retrieve(worker)).kill_switch).toEqual({ engaged: true, source: 'environment' })
    expect(await readPublished(worker)).toMatchObject({ isKilled: true })
    expect((await setSwitch(worker, false)).body.error.message).toContain('VAANI_SHADOW_KILL')
  })
})

describe('a published flag', () => {
  test('that is gone or damaged is published again', async () => {
    const worker = await start({ environment: { VAANI_SHADOW_INITIAL_STAGE: 'shadow-25' } })
    await worker.context.blobs.delete('shadow/flag')
    await until(
      () => readPublished(worker),
      (flag) => flag?.stage === 'shadow-25',
    )
    await worker.context.blobs.put('shadow/flag', Buffer.from('{"stage":'), { maxBytes: 100 })
    await until(
      () => readPublished(worker).catch(() => null),
      (flag) => flag?.stage === 'shadow-25',
    )
  })

  test('of a database that was lost is not older than the next one', async () => {
    const worker = await start()
    await worker[Symbol.asyncDispose]()
    const after = await start()
    await publishFlag(after.context.blobs, { stage: 'live', isKilled: false, epoch: 7, revision: 40 })
    const later = await start({ beside: after })
    expect(await readPublished(later)).toMatchObject({ stage: 'off', revision: 41 })
    await change(later, 'shadow-1')
    expect(await readPublished(later)).toMatchObject({ stage: 'shadow-1', revision: 42 })
  })
})

test('the history is listed in the order of its changes, whatever the clocks say, in pages', async () => {
  let nowMs = Date.now()
  const worker = await start({ clock: { nowMs: () => nowMs } })
  const stages: Stage[] = ['shadow-1', 'shadow-10', 'shadow-25', 'shadow-50']
  for (const stage of stages) {
    await change(worker, stage)
    nowMs -= 1000
  }
  const page = (query: string) =>
    worker.send<{ data: MigrationChange[]; next_cursor: string | null }>('GET', `/migration/changes?${query}`)
  const stagesOf = ({ data }: { data: MigrationChange[] }) => data.map(({ to_stage }) => to_stage)
  const first = (await page('limit=3')).body
  expect(stagesOf(first)).toEqual(['shadow-50', 'shadow-25', 'shadow-10'])
  const rest = (await page(`limit=3&cursor=${first.next_cursor}`)).body
  expect(stagesOf(rest)).toEqual(['shadow-1'])
  expect(rest.next_cursor).toBeNull()
})

test('the history cannot be rewritten', async () => {
  const worker = await start()
  await change(worker, 'shadow-1')
  const { database } = worker.context
  await expect(database.deleteFrom('migration_changes').execute()).rejects.toThrow('never rewritten')
  await expect(database.updateTable('migration_changes').set({ actor: 'x' }).execute()).rejects.toThrow(
    'never rewritten',
  )
  expect(await listChanges(worker)).toHaveLength(1)
})

describe('pairs', () => {
  const ids = [1, 2, 3].map((nowMs) => createId('pair', { nowMs, random: new Uint8Array(10) }))
  const [first, second, third] = ids as [(typeof ids)[0], (typeof ids)[0], (typeof ids)[0]]
  let worker: TestWorker
  beforeEach(async () => {
    const pairs = [
      makePair({ pair_id: first }),
      makePair({ pair_id: second, severity: null, outcome: 'agreed' }),
      makePair({ pair_id: third, severity: 'mild', kind: 'noise' }),
    ]
    worker = await start()
    await storePairs(worker, pairs)
  })

  const list = async (query = '') =>
    (
      await worker.send<{ data: Pair[]; has_more: boolean; next_cursor: string | null }>(
        'GET',
        `/migration/pairs${query}`,
      )
    ).body

  test('are listed newest first, in pages, by what they are', async () => {
    const page = await list('?limit=2')
    expect(page).toMatchObject({ data: [{ pair_id: third }, { pair_id: second }], has_more: true })
    const rest = await list(`?limit=2&cursor=${page.next_cursor}`)
    expect(rest).toMatchObject({ data: [{ pair_id: first }], has_more: false, next_cursor: null })
    const of = async (query: string) => (await list(query)).data.map(({ pair_id }) => pair_id)
    expect(await of('?severity=worst')).toEqual([first])
    expect(await of('?outcome=agreed')).toEqual([second])
    expect(await of('?kind=noise')).toEqual([third])
    expect(await of('?open=true')).toEqual([third, first])
  })

  test('are acknowledged once, and only mismatches', async () => {
    const acknowledge = (id: string) =>
      worker.send<Pair & ErrorBody>('POST', `/migration/pairs/${id}/acknowledge`, {
        body: { note: 'v2 is right' },
      })
    expect(await acknowledge(first)).toMatchObject({ status: 200, body: { note: 'v2 is right' } })
    expect(await acknowledge(first)).toMatchObject({
      status: 409,
      body: { error: { code: 'state_conflict' } },
    })
    expect((await acknowledge(second)).status).toBe(409)
    const unknown = createId('pair', { nowMs: 9, random: new Uint8Array(10) })
    expect(await acknowledge(unknown)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    expect((await worker.send('GET', `/migration/pairs/${unknown}`)).status).toBe(404)
    expect((await worker.send('GET', '/migration/pairs/nothing')).status).toBe(404)
    expect((await worker.send<Pair>('GET', `/migration/pairs/${first}`)).body).toMatchObject({
      acknowledged_at: expect.any(String),
    })
  })
})

test('the report has the evidence of both sides, and of all stages', async () => {
  const random = new Uint8Array(10)
  const waiting = { outcome: 'waiting', ended_at: null, severity: null } as const
  const pairs = [
    makePair({ pair_id: createId('pair', { nowMs: 1, random }) }),
    makePair({ pair_id: createId('pair', { nowMs: 2, random }), ...waiting }),
    makePair({ pair_id: createId('pair', { nowMs: 3, random }), ...waiting }),
  ]
  const endedAtMs = Date.now()
  const worker = await start()
  await storePairs(worker, pairs)
  const day = new Date(endedAtMs).toISOString().slice(0, 10)
  await worker.context.database.insertInto('shadow_budgets').values({ day, sent: 7 }).execute()
  await change(worker, 'shadow-100')
  const { database, evidence } = worker.context
  await evidence.count(database, endedPair({ endedAtMs: endedAtMs - 1, stage: 'shadow-10' }))
  await evidence.count(database, endedPair({ endedAtMs, events: ['worst_mismatches', 'missing_callbacks'] }))
  await evidence.count(database, endedPair({ endedAtMs, events: ['candidate_errors'], v2: 'failed' }))
  await evidence.count(database, endedPair({ endedAtMs, kind: 'noise', events: ['mild_mismatches'] }))
  await evidence.count(database, endedPair({ endedAtMs, outcome: 'not_sent', judged: null, v2: null }))
  const report = (await worker.send<MigrationReport>('GET', '/migration/report')).body
  expect(report).toMatchObject({
    migration: { stage: 'shadow-100', pairs: { ended: 4, waiting: 2, sent_today: 7 } },
    changes: [{ to_stage: 'shadow-100' }],
    confusion: [
      { v1: 'approved', v2: 'approved', pairs: 1 },
      { v1: 'approved', v2: 'declined', pairs: 1 },
      { v1: 'approved', v2: 'failed', pairs: 1 },
    ],
    callbacks: { due: 3, came: 2 },
    ids: { due: 3, confirmed: 3 },
    outcomes: [
      { outcome: 'not_sent', pairs: 1 },
      { outcome: 'mismatched', pairs: 1 },
      { outcome: 'agreed', pairs: 2 },
    ],
    hours: [
      { stage: 'shadow-10', pairs: 1, worst: 0, errors: 0 },
      { stage: 'shadow-100', pairs: 2, worst: 1, errors: 1 },
    ],
    open_mismatches: [{ pair_id: pairs[0]?.pair_id }],
  })
  expect(report.rates).toMatchObject([
    { severity: 'mild', events: 0, trials: 3, allowed: 0.02 },
    { severity: 'serious', events: 0, trials: 3, allowed: 0.005 },
    { severity: 'worst', events: 1, trials: 3, allowed: 0.001 },
  ])
  expect(
    report.latencies.map(({ version, measure, count, p50_ms }) => ({ version, measure, count, p50_ms })),
  ).toEqual([
    { version: 'v1', measure: 'answer', count: 4, p50_ms: 304.4 },
    { version: 'v1', measure: 'decision', count: 0, p50_ms: null },
    { version: 'v2', measure: 'answer', count: 4, p50_ms: 256 },
    { version: 'v2', measure: 'decision', count: 0, p50_ms: null },
  ])
  const mild = report.migration.verdict.conditions.find(({ name }) => name === 'mild_mismatches')
  expect(mild).toMatchObject({ noise: { events: 1, trials: 1 } })
})

describe('a request', () => {
  const reads = ['', '/changes', '/pairs', '/report', '/report.html']
  const writes = [
    ['PUT', '/stage', { stage: 'shadow-10' }],
    ['POST', '/rollback', {}],
    ['PUT', '/kill-switch', { engaged: true }],
    ['POST', '/evidence/restart', {}],
  ] as const

  test('needs the key of the administration, and fields that the contract has', async () => {
    const worker = await start({ environment: { VAANI_SHADOW_INITIAL_STAGE: 'shadow-50' } })
    const refuses = async (method: string, route: string, status: number, request: object = {}) =>
      expect((await worker.send(method, `/migration${route}`, request)).status, route).toBe(status)
    for (const key of [null, 'sk_live_wrong'.padEnd(40, 'x')]) {
      for (const route of reads) await refuses('GET', route, 401, { key })
      for (const [method, route, body] of writes)
        await refuses(method, route, 401, { key, body: { ...body, reason: 'x' } })
    }
    for (const route of ['/changes', '/pairs']) await refuses('GET', `${route}?unknown=1`, 400)
    for (const [method, route, body] of writes)
      for (const wrong of [{}, { reason: '' }, { reason: 'two\nlines' }, { reason: 'x', sneaky: true }])
        await refuses(method, route, 400, { body: { ...body, ...wrong } })
    await refuses('PUT', '/stage', 400, { body: { stage: 'shadow-11', reason: 'x' } })
    expect(await listChanges(worker)).toEqual([])
    expect(await readPublished(worker)).toMatchObject({ stage: 'shadow-50', revision: 1 })
  })
})
