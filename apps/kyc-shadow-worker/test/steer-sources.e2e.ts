/** Who decides the stage besides the API: an OpenFeature provider; and what happens while Postgres is gone. */
import path from 'node:path'
import type { ErrorBody } from '@vaani/contracts'
import type { Migration, MigrationChange } from '@vaani/contracts/migration'
import { createTestDatabase, startLossyProxy } from '@vaani/test-services'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readPublishedFlag } from '../src/published-flag/published-flag.ts'
import { countMany } from './support/ended-pairs.ts'
import { startTestWorker, type TestWorker } from './support/start-test-worker.ts'
import { until } from '@vaani/test-services/until'

const PROVIDER = path.resolve(import.meta.dirname, 'support/flag-provider.fixture.mjs')

let cleanUp: AsyncDisposableStack
beforeEach(() => {
  cleanUp = new AsyncDisposableStack()
})
afterEach(() => cleanUp.disposeAsync())

const start = async (options: Parameters<typeof startTestWorker>[0] = {}): Promise<TestWorker> =>
  cleanUp.use(await startTestWorker(options))
const listChanges = async (worker: TestWorker) =>
  (await worker.send<{ data: MigrationChange[] }>('GET', '/migration/changes')).body.data
const retrieve = async (worker: TestWorker) => (await worker.send<Migration>('GET', '/migration')).body
const isAt = (worker: TestWorker, stage: string) =>
  until(
    () => worker.context.flag.current(),
    (flag) => flag.stage === stage,
  )

describe('with an OpenFeature provider', () => {
  let flags: { stage: string | undefined; isKilled: boolean | undefined; isBroken: boolean }
  beforeEach(async () => {
    flags = (await import(PROVIDER)).flags
    Object.assign(flags, { stage: 'shadow-10', isKilled: false, isBroken: false })
  })
  const environment = { VAANI_SHADOW_OPENFEATURE_PROVIDER: PROVIDER, VAANI_SHADOW_INITIAL_STAGE: 'shadow-1' }

  test('its stage is in effect and in the history, once for all workers', async () => {
    const one = await start({ environment })
    const other = await start({ environment, beside: one })
    expect(await retrieve(one)).toMatchObject({
      stage: 'shadow-10',
      flag_source: 'test-flags',
      changed_by: 'openfeature:test-flags',
    })
    flags.stage = 'live'
    await isAt(one, 'live')
    await isAt(other, 'live')
    // Workers see a change in the database before one of them publishes it.
    await until(
      () => readPublishedFlag(one.context.blobs),
      (flag) => flag?.stage === 'live',
    )
    expect(await listChanges(one)).toMatchObject([
      { actor: 'openfeature:test-flags', to_stage: 'live', forced: true },
      { actor: 'openfeature:test-flags', from_stage: 'shadow-1', to_stage: 'shadow-10', forced: false },
    ])
  })

  test('the API refuses to change the stage, and says who does; it still rolls back', async () => {
    const worker = await start({ environment })
    const body = { stage: 'shadow-25', reason: 'The plan' }
    const refused = await worker.send<ErrorBody>('PUT', '/migration/stage', { body })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'state_conflict' } } })
    expect(refused.body.error.message).toBe(
      'The OpenFeature provider test-flags decides the stage; change it there',
    )
    const rolledBack = await worker.send<Migration>('POST', '/migration/rollback', { body: { reason: 'x' } })
    expect(rolledBack.body.stage).toBe('shadow-1')
  })

  test('a rollback of the gate stays until the provider changes', async () => {
    const one = await start({ environment })
    flags.stage = 'shadow-100'
    await isAt(one, 'shadow-100')
    await countMany(one, 100, { events: ['worst_mismatches'] })
    await until(
      () => one.context.flag.current().stage,
      (stage) => stage === 'shadow-1',
    )
    // Another worker that starts now takes the provider's stage for what it was.
    const other = await start({ environment, beside: one })
    expect(other.context.flag.current().stage).toBe('shadow-1')
    flags.stage = 'shadow-25'
    await isAt(one, 'shadow-25')
    expect((await listChanges(one)).map(({ actor, to_stage }) => `${actor} ${to_stage}`)).toEqual([
      'openfeature:test-flags shadow-25',
      'gate shadow-1',
      'openfeature:test-flags shadow-100',
      'openfeature:test-flags shadow-10',
    ])
  })

  test('its kill switch stops all shadow traffic, and only it can release it', async () => {
    const worker = await start({ environment })
    flags.isKilled = true
    await until(
      () => worker.context.flag.current().killSource,
      (source) => source === 'provider',
    )
    const body = { engaged: false, reason: 'x' }
    expect((await worker.send('PUT', '/migration/kill-switch', { body })).status).toBe(409)
    flags.isKilled = false
    await until(
      () => worker.context.flag.current().isKilled,
      (isKilled) => !isKilled,
    )
    // The switch works before its change is written.
    const changes = await until(
      () => listChanges(worker),
      ([latest]) => latest?.kill_switch === false,
    )
    expect(changes.map(({ kill_switch }) => kill_switch)).toEqual([false, true, null])
  })

  test.each([
    ['is away', { isBroken: true }],
    ['has no such flag', { stage: undefined }],
    ['names a stage that does not exist', { stage: 'shadow-11' }],
  ])('that %s, the last stage stays', async (_, wrong) => {
    const worker = await start({ environment })
    Object.assign(flags, wrong, { isKilled: true })
    if ('isBroken' in wrong)
      await until(
        async () => (await worker.scrape()).includes('vaani_shadow_stage{stage="shadow-10"} 1'),
        (isSo) => isSo,
      )
    else
      await until(
        () => worker.context.flag.current().isKilled,
        (isKilled) => isKilled,
      )
    expect(worker.context.flag.current().stage).toBe('shadow-10')
    Object.assign(flags, { isBroken: false, stage: 'shadow-25' })
    await isAt(worker, 'shadow-25')
  })

  test.each([
    './nowhere.mjs',
    'not-installed',
    PROVIDER.replace('flag-provider.fixture.mjs', 'ended-pairs.ts'),
  ])('the worker does not start with %s', async (specifier) => {
    const started = startTestWorker({ environment: { VAANI_SHADOW_OPENFEATURE_PROVIDER: specifier } })
    await expect(started).rejects.toThrow('VAANI_SHADOW_OPENFEATURE_PROVIDER names a module')
  })
})

test('while Postgres is gone, the flag stays, and the kill file still works', async () => {
  const database = cleanUp.use(await createTestDatabase())
  const proxy = cleanUp.use(await startLossyProxy(database.url))
  const worker = await start({
    databaseUrl: proxy.url,
    environment: { VAANI_SHADOW_INITIAL_STAGE: 'shadow-50' },
  })
  const body = { stage: 'shadow-100', reason: 'x' }
  proxy.cut()
  expect(await worker.send('PUT', '/migration/stage', { body })).toMatchObject({
    status: 503,
    body: { error: { code: 'service_unavailable' } },
  })
  await worker.context.blobs.delete('shadow/flag')
  await until(
    () => readPublishedFlag(worker.context.blobs),
    (flag) => flag?.stage === 'shadow-50',
  )
  const { writeFile } = await import('node:fs/promises')
  await writeFile(path.join(worker.config.dataDirectory, 'kill'), '')
  await until(
    () => readPublishedFlag(worker.context.blobs),
    (flag) => flag?.isKilled === true,
  )
  expect(worker.context.flag.current()).toMatchObject({ stage: 'shadow-50', killSource: 'file' })
  proxy.mend()
  await until(
    () => worker.send('PUT', '/migration/stage', { body }),
    ({ status }) => status === 200,
  )
  expect((await listChanges(worker)).map(({ to_stage }) => to_stage)).toEqual(['shadow-100'])
})
