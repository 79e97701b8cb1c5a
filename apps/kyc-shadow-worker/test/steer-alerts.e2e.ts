/** Alerts of a migration: who gets them, how often, and what happens while nobody does. */
import { createId, type ErrorBody } from '@vaani/contracts'
import { type MigrationEvent, migrationEventSchema } from '@vaani/contracts/migration'
import { type Delivery, type Receiver, startReceiver } from '@vaani/test-harness'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countMany } from './support/ended-pairs.ts'
import { type Chat, startChat } from './support/start-chat.ts'
import { startTestWorker, type TestWorker } from './support/start-test-worker.ts'
import { until } from '@vaani/test-services/until'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const HOUR_MS = 3_600_000

let cleanUp: AsyncDisposableStack
let nowMs: number
let receiver: Receiver
let slack: Chat
beforeEach(async () => {
  cleanUp = new AsyncDisposableStack()
  nowMs = Date.now()
  receiver = cleanUp.use(await startReceiver({ secrets: [SECRET], clock: { nowMs: () => nowMs } }))
  slack = cleanUp.use(await startChat())
})
afterEach(() => cleanUp.disposeAsync())

const start = async (options: Parameters<typeof startTestWorker>[0] = {}): Promise<TestWorker> =>
  cleanUp.use(
    await startTestWorker({
      clock: { nowMs: () => nowMs },
      environment: {
        VAANI_SHADOW_ALERT_URL: `${receiver.url}/alerts`,
        VAANI_SHADOW_ALERT_SECRET: SECRET,
        VAANI_SHADOW_SLACK_URL: slack.url,
      },
      ...options,
    }),
  )

const pairIds = [1, 2, 3, 4].map((at) => createId('pair', { nowMs: at, random: new Uint8Array(10) }))
const mismatch = (worker: TestWorker, index: number) =>
  worker.context.alerts.raise(worker.context.database, {
    type: 'mismatch',
    stage: 'shadow-10',
    severity: 'worst',
    pairId: pairIds[index] ?? '',
  })
const changeStage = (worker: TestWorker, stage: string, more: object = {}) =>
  worker.send<ErrorBody>('PUT', '/migration/stage', {
    body: { stage, reason: 'Day 1', actor: 'asha', ...more },
  })
const eventOf = ({ body }: Delivery): MigrationEvent =>
  migrationEventSchema.parse(JSON.parse(body.toString()))
/** Events that were accepted, in the order of their ids. */
const events = (): MigrationEvent[] =>
  receiver.accepted.map(eventOf).toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1))

test('a change is announced once to each receiver, signed, and as the contract says', async () => {
  const worker = await start()
  await changeStage(worker, 'live', { force: true, reason: 'A <!channel> & a test' })
  const delivery = await receiver.waitFor(() => true)
  expect(delivery).toMatchObject({ path: '/alerts', signature: 'genuine' })
  const summary = 'asha changed the stage from off to live, against the advice: A <!channel> & a test'
  expect(eventOf(delivery)).toMatchObject({
    type: 'migration.changed',
    data: { summary, change: { kind: 'stage', to_stage: 'live', forced: true } },
  })
  await until(
    () => slack.texts.length,
    (texts) => texts === 1,
  )
  expect(slack.texts).toEqual([
    'asha changed the stage from off to live, against the advice: A &lt;!channel&gt; &amp; a test',
  ])
  const logged = await until(
    () => worker.lines.filter((line) => line.includes('"event":"shadow_changed"')),
    (lines) => lines.length === 1,
  )
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ state: 'live', reason: 'stage' })
  // What people write stays out of the log.
  expect(worker.lines.join('')).not.toMatch(/asha|channel/)
  const metrics = await worker.scrape()
  expect(metrics).toContain('vaani_shadow_alerts_total{target="webhook",outcome="sent"} 1')
  expect(metrics).toContain('vaani_shadow_stage{stage="live"} 1')
  expect(metrics).toContain('vaani_shadow_advice{advice="not_enough_evidence"} 1')
  expect(metrics).toContain('vaani_shadow_condition_upper_ratio{condition="worst_mismatches"} 1')
  expect(receiver.deliveries).toHaveLength(1)
})

test('a refused change and a rolled back transaction are not announced', async () => {
  const worker = await start()
  const { alerts, database } = worker.context
  expect((await changeStage(worker, 'live')).status).toBe(409)
  const lost = database.transaction().execute(async (tx) => {
    await alerts.raise(tx, {
      type: 'mismatch',
      stage: 'shadow-1',
      severity: 'mild',
      pairId: pairIds[0] ?? '',
    })
    throw new Error('The pair was ended by another worker')
  })
  await expect(lost).rejects.toThrow('another worker')
  await changeStage(worker, 'shadow-1')
  const sent = await until(events, ({ length }) => length > 0)
  expect(sent.map(({ type }) => type)).toEqual(['migration.changed'])
})

test('mismatches of a kind are announced once an hour, with how many there were', async () => {
  const worker = await start()
  await mismatch(worker, 0)
  await mismatch(worker, 1)
  nowMs += HOUR_MS - 1000
  await mismatch(worker, 2)
  // Another severity, and another stage, are groups of their own.
  const { alerts, database } = worker.context
  nowMs++
  await alerts.raise(database, {
    type: 'mismatch',
    stage: 'shadow-10',
    severity: 'mild',
    pairId: pairIds[0] ?? '',
  })
  nowMs++
  await alerts.raise(database, {
    type: 'mismatch',
    stage: 'live',
    severity: 'worst',
    pairId: pairIds[0] ?? '',
  })
  nowMs += 1000
  await mismatch(worker, 3)
  await until(
    () => receiver.accepted.length,
    (accepted) => accepted === 4,
  )
  const told = events().flatMap(({ type, data }) => (type === 'migration.mismatch' ? [data] : []))
  expect(told.map(({ stage, severity, pairs, pair_id }) => [stage, severity, pairs, pair_id])).toEqual([
    ['shadow-10', 'worst', 1, pairIds[0]],
    ['shadow-10', 'mild', 1, pairIds[0]],
    ['live', 'worst', 1, pairIds[0]],
    ['shadow-10', 'worst', 3, pairIds[3]],
  ])
  expect(told.at(-1)?.summary).toBe(
    `3 worst mismatches at shadow-10: one version approved what the other declined or refused. See ${pairIds[3]}.`,
  )
})

test('mismatches that were held back are announced when their hour is over', async () => {
  const worker = await start()
  for (const index of [0, 1, 2]) await mismatch(worker, index)
  await worker.context.sweep()
  nowMs += HOUR_MS
  await worker.context.sweep()
  await worker.context.sweep()
  await changeStage(worker, 'shadow-1')
  await until(events, (sent) => sent.some(({ type }) => type === 'migration.changed'))
  const told = events().flatMap(({ type, data }) => (type === 'migration.mismatch' ? [data] : []))
  expect(told.map(({ pairs, pair_id }) => [pairs, pair_id])).toEqual([
    [1, pairIds[0]],
    [2, pairIds[2]],
  ])
})

test('a broken condition is announced once for its evidence, even where there is no stage to fall back to', async () => {
  const one = await start({ environment: { VAANI_SHADOW_INITIAL_STAGE: 'shadow-1', ...receivers() } })
  await start({ beside: one })
  await countMany(one, 100, { stage: 'shadow-1', events: ['worst_mismatches', 'missing_callbacks'] })
  await until(
    () => receiver.accepted.length,
    (accepted) => accepted >= 2,
  )
  const told = () =>
    events().flatMap(({ type, data }) => (type === 'migration.condition_broken' ? [data] : []))
  expect(
    told()
      .map(({ stage, condition }) => `${stage} ${condition}`)
      .toSorted(),
  ).toEqual(['shadow-1 missing_callbacks', 'shadow-1 worst_mismatches'])
  expect(told()[0]?.summary).toMatch(
    /^The evidence at shadow-1 is against the candidate\. .+, where 0\.\d % is allowed\.$/,
  )
  // In other evidence it is news again.
  nowMs += HOUR_MS
  await one.send('POST', '/migration/evidence/restart', { body: { reason: 'Release 2.4.1' } })
  await countMany(one, 100, { epoch: 2, stage: 'shadow-1', events: ['worst_mismatches'] })
  await until(told, (conditions) => conditions.length >= 3)
  expect(told()).toHaveLength(3)
})

test('a dead receiver delays nobody, and gets what it missed when it is back', async () => {
  receiver.plan(500, 'reset', { status: 301, headers: { location: '/elsewhere' } })
  const worker = await start()
  await changeStage(worker, 'shadow-1')
  await changeStage(worker, 'shadow-10')
  await changeStage(worker, 'shadow-25')
  // The other receiver has all of them before the first is tried again.
  await until(
    () => slack.texts.length,
    (texts) => texts === 3,
  )
  await until(
    () => {
      nowMs += 1000
      return receiver.accepted.length
    },
    (accepted) => accepted === 3,
  )
  expect(receiver.deliveries.map(({ path, signature }) => `${path} ${signature}`)).toEqual(
    receiver.deliveries.map(() => '/alerts genuine'),
  )
  expect(new Set(events().map(({ event_id }) => event_id)).size).toBe(3)
  expect(await worker.scrape()).toContain('vaani_shadow_alerts_total{target="webhook",outcome="retried"} 3')
})

test('alerts that the previous version queued are sent, except for those that it is sending', async () => {
  const worker = await start()
  await changeStage(worker, 'shadow-1')
  const event = eventOf(await receiver.waitFor(() => true))
  const { database } = worker.context
  const jobs = [
    { name: 'alerts.webhook', state: 'created', startedOn: null },
    { name: 'alerts.webhook', state: 'retry', startedOn: null },
    // Its worker died, and no process of that version is left to give it to another.
    { name: 'alerts.webhook', state: 'active', startedOn: new Date(Date.now() - HOUR_MS) },
    { name: 'alerts.webhook', state: 'active', startedOn: new Date() },
    { name: 'alerts.webhook', state: 'completed', startedOn: new Date() },
    { name: 'shadow-send', state: 'created', startedOn: null },
  ].map((job, index) => ({
    ...job,
    event: { ...event, event_id: createId('event', { nowMs: index, random: new Uint8Array(10) }) },
  }))
  await sql`create schema vaani_shadow_jobs`.execute(database)
  await sql`create table vaani_shadow_jobs.job (name text, data jsonb, state text, retry_count integer, start_after timestamptz,
    started_on timestamptz, expire_seconds integer)`.execute(database)
  for (const { name, state, startedOn, event } of jobs)
    await sql`insert into vaani_shadow_jobs.job
      values (${name}, ${JSON.stringify({ event })}, ${state}, 0, ${new Date(nowMs)}, ${startedOn}, 60)`.execute(
      database,
    )
  await worker.context.sweep()
  await worker.context.sweep()
  const sent = await until(events, ({ length }) => length === 4)
  const idOf = (index: number) => jobs[index]?.event.event_id
  expect(sent.map(({ event_id }) => event_id)).toEqual([idOf(0), idOf(1), idOf(2), event.event_id])
  const { rows } = await sql<{ id: string }>`
    select data -> 'event' ->> 'event_id' as id from vaani_shadow_jobs.job order by 1`.execute(database)
  expect(rows.map(({ id }) => id)).toEqual([idOf(3), idOf(4), idOf(5)])
})

test.each([
  [{ VAANI_SHADOW_ALERT_URL: 'http://127.0.0.1:1' }, 'VAANI_SHADOW_ALERT_SECRET must be set'],
  [
    { VAANI_SHADOW_ALERT_URL: 'http://127.0.0.1:1', VAANI_SHADOW_ALERT_SECRET: 'whsec_!' },
    'VAANI_SHADOW_ALERT_SECRET must be a signing secret',
  ],
  [{ VAANI_SHADOW_SLACK_URL: 'slack' }, 'VAANI_SHADOW_SLACK_URL must be'],
  [{ VAANI_SHADOW_ALLOWED: 'worst=1%' }, 'VAANI_SHADOW_ALLOWED must be'],
])('%j is refused at the start', async (environment, message) => {
  await expect(startTestWorker({ environment, databaseUrl: 'postgres://127.0.0.1:1/none' })).rejects.toThrow(
    message,
  )
})

const receivers = () => ({
  VAANI_SHADOW_ALERT_URL: `${receiver.url}/alerts`,
  VAANI_SHADOW_ALERT_SECRET: SECRET,
})
