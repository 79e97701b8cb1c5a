/** The counters of the evidence: exact whatever the number of writers, and as cheap to read after many pairs as after few. */
import { CONDITION_NAMES, ENDINGS, KYC_VERSIONS, type MigrationVerdict } from '@vaani/contracts/migration'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EndedPair } from '../src/features/evidence/port.ts'
import { endedPair } from './support/ended-pairs.ts'
import { startTestWorker, type TestWorker } from './support/start-test-worker.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let nowMs = Date.UTC(2026, 10, 22, 12)
let worker: TestWorker
let epoch = 100
beforeAll(async () => {
  worker = await startTestWorker({ clock: { nowMs: () => nowMs } })
})
afterAll(() => worker[Symbol.asyncDispose]())
beforeEach(async () => {
  epoch++
  // Noise counts in all epochs.
  await worker.context.database.deleteFrom('evidence_counts').where('kind', '=', 'noise').execute()
})

const count = (pair: EndedPair) =>
  worker.context.database.transaction().execute((tx) => worker.context.evidence.count(tx, pair))
const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('There is none')
  return item
}
/** Different in everything that is counted, over and over. */
const pairOf = (index: number): EndedPair =>
  endedPair({
    epoch,
    endedAtMs: nowMs,
    events: index % 3 === 0 ? [at(CONDITION_NAMES, index)] : [],
    v1: at(ENDINGS, index),
    v2: at(ENDINGS, Math.floor(index / 2)),
    latencies: [{ version: at(KYC_VERSIONS, index), measure: 'decision', ms: 2 ** (index % 12) }],
  })
const conditionOf = (verdict: MigrationVerdict, name: string) =>
  verdict.conditions.find((condition) => condition.name === name)

test('pairs that many workers count at once are all counted, once', async () => {
  await using other = await startTestWorker({ beside: worker })
  const PAIRS = 240
  const LANES = 12
  const indexes = Array.from({ length: PAIRS }, (_, index) => index)
  await Promise.all(
    indexes.slice(0, LANES).map(async (lane) => {
      const { database, evidence } = lane % 2 === 0 ? worker.context : other.context
      for (const index of indexes.filter((one) => one % LANES === lane))
        await database.transaction().execute((tx) => evidence.count(tx, pairOf(index)))
    }),
  )
  const { evidence } = worker.context
  expect(await evidence.countEnded(epoch)).toBe(PAIRS)
  const verdict = await evidence.judge(epoch)
  for (const { trials } of verdict.conditions) expect(trials).toBe(PAIRS)
  expect(verdict.conditions.map(({ events }) => events)).toEqual(
    CONDITION_NAMES.map(
      (_, name) =>
        indexes.filter((index) => index % 3 === 0 && index % CONDITION_NAMES.length === name).length,
    ),
  )
  expect(verdict.error_difference).toMatchObject({
    pairs: PAIRS,
    only_v1: indexes.filter((index) => pairOf(index).v1 === 'failed' && pairOf(index).v2 !== 'failed').length,
    only_v2: indexes.filter((index) => pairOf(index).v1 !== 'failed' && pairOf(index).v2 === 'failed').length,
  })
  const report = await evidence.report(epoch)
  const sum = (rows: readonly { pairs: number }[]) => rows.reduce((total, { pairs }) => total + pairs, 0)
  expect(sum(report.confusion)).toBe(PAIRS)
  expect(report.latencies.reduce((total, latency) => total + latency.count, 0)).toBe(PAIRS)
})

test('the errors of both versions are compared, without the noise and the pairs that one of them never got', async () => {
  const { evidence } = worker.context
  const differenceOf = async () => (await evidence.judge(epoch)).error_difference
  await count(endedPair({ epoch, endedAtMs: nowMs, kind: 'noise', v2: 'failed' }))
  await count(endedPair({ epoch, endedAtMs: nowMs, outcome: 'not_sent', judged: null, v2: null }))
  expect(await differenceOf()).toBeNull()
  for (let index = 0; index < 40; index++) await count(endedPair({ epoch, endedAtMs: nowMs, v2: 'failed' }))
  for (let index = 0; index < 8; index++) await count(endedPair({ epoch, endedAtMs: nowMs, v1: 'failed' }))
  await count(endedPair({ epoch, endedAtMs: nowMs, v1: 'failed', v2: 'failed' }))
  for (let index = 0; index < 31; index++) await count(endedPair({ epoch, endedAtMs: nowMs }))
  const found = await differenceOf()
  expect(found).toMatchObject({ pairs: 80, only_v1: 8, only_v2: 40, value: 0.4 })
  expect(found?.lower).toBeGreaterThan(0.1)
  expect(found?.upper).toBeLessThan(0.7)
})

test('what is read to judge does not grow with the pairs', async () => {
  const countRows = async () => {
    const { database } = worker.context
    const rows = await database
      .selectFrom('evidence_counts')
      .select('epoch')
      .where('epoch', '=', epoch)
      .execute()
    return rows.length
  }
  for (let index = 0; index < 72; index++) await count(pairOf(index))
  const rows = await countRows()
  for (let index = 0; index < 288; index++) await count(pairOf(index))
  expect(await countRows()).toBe(rows)
  expect(rows).toBeLessThan(100)
})

test('a pair whose transaction is rolled back does not count', async () => {
  const { database, evidence } = worker.context
  const lost = database.transaction().execute(async (tx) => {
    await evidence.count(tx, pairOf(0))
    throw new Error('Lost')
  })
  await expect(lost).rejects.toThrow('Lost')
  expect(await evidence.countEnded(epoch)).toBe(0)
})

test('the pairs a day are those of the stage of now', async () => {
  for (let index = 0; index < 10; index++)
    await count(endedPair({ epoch, stage: 'shadow-1', endedAtMs: nowMs - 5 * HOUR_MS }))
  for (let index = 0; index < 20; index++)
    await count(endedPair({ epoch, stage: 'shadow-10', endedAtMs: nowMs - 2 * HOUR_MS + index }))
  const verdict = await worker.context.evidence.judge(epoch)
  expect(verdict.pairs_per_day).toBe(240)
  expect(verdict.because).toMatch(/^Not enough evidence: 4,433 more pairs, about 19 days at this rate\./)
})

test('noise of the primary is no evidence against the candidate', async () => {
  for (let index = 0; index < 5; index++)
    await count(endedPair({ epoch, endedAtMs: nowMs, kind: 'noise', events: ['mild_mismatches'] }))
  await count(endedPair({ epoch, endedAtMs: nowMs }))
  const { evidence } = worker.context
  expect(conditionOf(await evidence.judge(epoch), 'mild_mismatches')).toMatchObject({
    events: 0,
    trials: 1,
    noise: { events: 5, trials: 5 },
  })
  expect(await evidence.countEnded(epoch)).toBe(1)
  expect((await evidence.report(epoch)).confusion).toEqual([{ v1: 'approved', v2: 'approved', pairs: 1 }])
})

test('noise is about the primary, so it outlives a rollback, until there is another primary', async () => {
  for (let index = 0; index < 4; index++)
    await count(endedPair({ epoch, endedAtMs: nowMs, kind: 'noise', events: ['mild_mismatches'] }))
  epoch++
  await count(endedPair({ epoch, endedAtMs: nowMs, kind: 'noise' }))
  const noiseOf = async ({ context }: TestWorker) =>
    conditionOf(await context.evidence.judge(epoch), 'mild_mismatches')?.noise
  expect(await noiseOf(worker)).toEqual({ events: 4, trials: 5 })
  await using other = await startTestWorker({
    beside: worker,
    environment: { VAANI_SHADOW_PRIMARY_URL: 'http://127.0.0.1:4' },
  })
  expect(await noiseOf(other)).toBeNull()
})

test('a few noise pairs do not keep the gate from rolling back', async () => {
  for (let index = 0; index < 60; index++)
    await count(endedPair({ epoch, endedAtMs: nowMs, events: ['worst_mismatches'] }))
  for (let index = 0; index < 3; index++) await count(endedPair({ epoch, endedAtMs: nowMs, kind: 'noise' }))
  const verdict = await worker.context.evidence.judge(epoch)
  expect(verdict.advice).toBe('roll_back')
  expect(conditionOf(verdict, 'worst_mismatches')).toMatchObject({ state: 'broken', noise: { trials: 3 } })
})

test('without an address for callbacks, it says which variables to set', async () => {
  const verdict = await worker.context.evidence.judge(epoch)
  expect(verdict.because).toMatch(
    /: set VAANI_SHADOW_CALLBACK_BASE_URL and VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET /,
  )
  await using other = await startTestWorker({
    beside: worker,
    environment: {
      VAANI_SHADOW_CALLBACK_BASE_URL: 'http://127.0.0.1:3',
      VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    },
  })
  expect((await other.context.evidence.judge(epoch)).because).not.toContain('VAANI_SHADOW')
})

test('hours are forgotten after 90 days', async () => {
  const of = async () =>
    (await worker.context.evidence.report(epoch)).hours.map(({ at: hour }) => Date.parse(hour))
  await worker.context.database.deleteFrom('evidence_hours').execute()
  const oldMs = nowMs
  await count(endedPair({ epoch, endedAtMs: oldMs }))
  nowMs += 60 * DAY_MS
  await count(endedPair({ epoch, endedAtMs: nowMs }))
  expect(await of()).toEqual([oldMs, nowMs])
  nowMs += 31 * DAY_MS
  await worker.context.sweep()
  expect(await of()).toEqual([nowMs - 31 * DAY_MS])
  const rows = await worker.context.database.selectFrom('evidence_hours').select('hour').execute()
  expect(rows).toHaveLength(1)
})
