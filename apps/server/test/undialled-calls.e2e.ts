/** Calls that are claimed while the database goes away: each is dialled once, and none is lost. */
import type { Call } from '@vaani/contracts'
import { createSimulatorCarrier, SIMULATOR_NUMBERS } from '@vaani/telephony-sip/simulator'
import { createTestDatabase, type LossyProxy, startLossyProxy } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import { sql } from 'kysely'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STATES } from './support/states.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { writtenLines } from './support/written-lines.ts'

const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }

let cleanUp: AsyncDisposableStack
let proxy: LossyProxy
let server: TestServer
let dialled: string[]
/** Resolves when the phones that are dialled may ring. */
let mayRing: Promise<void>

beforeEach(async () => {
  cleanUp = new AsyncDisposableStack()
  const database = await createTestDatabase()
  cleanUp.defer(() => database.drop())
  proxy = cleanUp.use(await startLossyProxy(database.url))
  dialled = []
  mayRing = Promise.resolve()
  const phone = createSimulatorCarrier({ frameIntervalMs: 2 })
  const createSimulator = () => ({
    ...phone,
    dial(request: Parameters<typeof phone.dial>[0]) {
      dialled.push(request.callId)
      const leg = phone.dial(request)
      const events = {
        async *[Symbol.asyncIterator]() {
          await mayRing
          yield* leg.events
        },
      }
      return { ...leg, events }
    },
  })
  server = cleanUp.use(await startTestServer({ config: { databaseUrl: proxy.url }, createSimulator }))
})
afterEach(() => cleanUp.disposeAsync())

const place = async (more: Partial<Call> = {}) =>
  (await server.json<Call>('/agent/calls', { body: { ...call, ...more } })).body.call_id
const read =
  (callId: string, key = server.key) =>
  () =>
    server.json<Call>(`/agent/calls/${callId}`, { key })
const isOver = ({ status, body }: { status: number; body: Call }) =>
  status === 200 && ['completed', 'failed'].includes(body.status)

test('a call that is claimed when the database goes away is dialled once it is back', async () => {
  proxy.cutAt('from "agents"')
  const callId = await place()
  await until(read(callId), ({ status }) => status === 503)
  proxy.mend()
  const over = await until(read(callId), isOver)
  expect(over.body).toMatchObject({ status: 'completed', ended_by: 'agent' })
  expect(dialled).toEqual([callId])
})

test('a call of which one statement is lost before it is dialled is dialled a moment later', async () => {
  proxy.loseStatement('from "agents"')
  const callId = await place()
  const over = await until(read(callId), isOver)
  expect(over.body).toMatchObject({ status: 'completed', ended_by: 'agent' })
  expect(dialled).toEqual([callId])
})

test('a call that was given back and claimed again is kept when the first statement arrives late', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  mayRing = promise
  proxy.loseStatement('from "agents"')
  const arrive = proxy.delayStatement('set "dial_started_at"')
  const callId = await place()
  await until(
    () => dialled,
    ({ length }) => length > 0,
  )
  await arrive()
  resolve()
  const over = await until(read(callId), isOver)
  expect(over.body).toMatchObject({ status: 'completed', ended_by: 'agent' })
  expect(dialled).toEqual([callId])
})

test('a call is dialled whose claim this worker does not know of, because the reply was lost', async () => {
  const { database, lease } = server.context
  const { accountId, key } = await server.createAccount()
  const tenant = { accountId, livemode: false }
  const callId = await STATES.call_id['queued, being dialled'](server, tenant)
  await database
    .updateTable('calls')
    .set({ worker_id: lease.current()?.workerId ?? '' })
    .where('call_id', '=', callId)
    .execute()
  const over = await until(read(callId, key), isOver)
  expect(over.body).toMatchObject({ status: 'completed', ended_by: 'agent' })
  expect(dialled).toEqual([callId])
})

test('a call that was dialled, and whose end cannot be written, is not dialled again', async () => {
  // Ends without ringing, so that its end is the first that is written of it.
  proxy.cutAt('update "calls"')
  const callId = await place({ to: SIMULATOR_NUMBERS.busy.number })
  await until(
    () => writtenLines().join('\n'),
    (lines) => lines.includes('A call was lost'),
  )
  proxy.mend()
  const over = await until(read(callId), isOver)
  expect(over.body).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  expect(dialled).toEqual([callId])
})

test('a call that was dialled is not dialled again after a failover to a standby that lacks the answer', async () => {
  const callId = await place()
  await until(read(callId), ({ body }) => body.status === 'in-progress')
  // Without the triggers, which would reject this.
  await server.context.database.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      update calls set status = 'queued', answered_at = null, ringing_since = null where call_id = ${callId}`.execute(
      tx,
    )
  })
  const over = await until(read(callId), isOver)
  expect(over.body).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  expect(dialled).toEqual([callId])
})

test('a call that cannot be prepared is tried again every few seconds, for an hour', async () => {
  const { database } = server.context
  const callId = await place({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  await sql`
    create function fail() returns boolean language plpgsql as $$
      begin raise exception 'The disk fails' using errcode = '58030'; end $$;
    alter table agents rename to former_agents;
    create view agents as select * from former_agents where fail();
    update calls set scheduled_at = now() where call_id = ${sql.lit(callId)}`.execute(database)
  const countFailures = () =>
    writtenLines().filter((line) => line.includes(callId) && line.includes('cannot be prepared yet')).length
  await until(countFailures, (count) => count > 0)
  await delay(5000)
  expect(countFailures()).toBeLessThan(4)
  await sql`update calls set waiting_since = now() - interval '61 minutes' where call_id = ${callId}`.execute(
    database,
  )
  const over = await until(read(callId), isOver)
  expect(over.body).toMatchObject({ status: 'failed', failure_reason: 'agent-error' })
  expect(dialled).toEqual([])
})
