/** Leases of workers, and the takeover of work when one is lost. */
import {
  type Call,
  CALL_EVENT_ACTORS,
  CALL_TRANSITIONS,
  type CallEventName,
  type CallStatus,
} from '@vaani/contracts'
import { createDatabase } from '@vaani/service-kit/database/connect'
import { createWorkerLease, type Lease, LEASE_SECONDS } from '@vaani/service-kit/leases/worker-lease'
import { moveState, type StateMachine } from '@vaani/service-kit/states/move-state'
import type { Tenant } from '@vaani/service-kit/tenant'
import { createManualSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CallStore, createCallStore } from '../src/features/calls/store.ts'
import type { CallTable } from '../src/features/calls/tables.ts'
import { doNotCall } from './support/do-not-call.ts'
import { addLease, removeLease } from './support/leases.ts'
import { countRowsRead } from './support/rows-read.ts'
import { STATES } from './support/states.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const RENEW_MS = 5000
const HOLD_MS = 14_000
const LEFT = 600

let server: TestServer
let pool: pg.Pool
beforeAll(async () => {
  // Without a worker role, so that the workers of the tests are the only ones.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  pool = new pg.Pool({ connectionString: server.databaseUrl })
})
afterAll(async () => {
  await pool.end()
  await server[Symbol.asyncDispose]()
})
afterEach(() => pool.query('delete from leases'))

const listLeases = async () =>
  (await pool.query<{ worker_id: string; expires_at: Date }>('select * from leases order by worker_id')).rows
const letRunOut = (workerId: string) =>
  pool.query(`update leases set expires_at = now() - interval '1 second' where worker_id = $1`, [workerId])

/** Creates a worker whose clock the test advances. */
function createWorker() {
  let nowMs = 0
  const lost: string[] = []
  const lease = createWorkerLease({ pool, nowMs: () => nowMs, onLost: ({ workerId }) => lost.push(workerId) })
  return {
    lost,
    lease,
    pass: (ms: number) => (nowMs += ms),
    current(): Lease {
      const current = lease.current()
      if (current === null) throw new Error('The worker has no lease')
      return current
    },
  }
}

describe('a worker', () => {
  test('has a lease from its first tick, and renews it every five seconds', async () => {
    const worker = createWorker()
    expect(worker.lease.current()).toBe(null)
    await worker.lease.tick()
    const { workerId } = worker.current()
    const [taken] = await listLeases()
    expect(taken?.worker_id).toBe(workerId)
    worker.pass(RENEW_MS - 1)
    await worker.lease.tick()
    expect(await listLeases()).toEqual([taken])
    worker.pass(1)
    await worker.lease.tick()
    const [renewed] = await listLeases()
    expect(renewed?.expires_at.getTime()).toBeGreaterThan(taken?.expires_at.getTime() ?? Infinity)
    expect(worker.current().workerId).toBe(workerId)
  })

  test('starts nothing once others may consider it dead, and continues if none has', async () => {
    expect(HOLD_MS).toBeLessThan(LEASE_SECONDS * 1000)
    const worker = createWorker()
    await worker.lease.tick()
    const { workerId, lost } = worker.current()
    await pool.query('alter table leases rename to leases_away')
    try {
      worker.pass(RENEW_MS)
      await expect(worker.lease.tick()).rejects.toThrow('leases')
      worker.pass(HOLD_MS - RENEW_MS - 1)
      expect(worker.current().workerId).toBe(workerId)
      worker.pass(1)
      expect(worker.lease.current()).toBe(null)
      await expect(worker.lease.tick()).rejects.toThrow('leases')
    } finally {
      await pool.query('alter table leases_away rename to leases')
    }
    await worker.lease.tick()
    expect(worker.current().workerId).toBe(workerId)
    expect(lost.aborted).toBe(false)
    expect(worker.lost).toEqual([])
  })

  test('that lost the database gives the others time to renew as well', async () => {
    const [first, second] = [createWorker(), createWorker()]
    await first.lease.tick()
    await second.lease.tick()
    const { workerId } = second.current()
    // Both were cut off, and the first one is back earlier.
    await letRunOut(workerId)
    first.pass(LEASE_SECONDS * 1000)
    await first.lease.tick()
    expect((await listLeases()).map((row) => row.worker_id)).toContain(workerId)
    second.pass(LEASE_SECONDS * 1000)
    await second.lease.tick()
    expect(second.current().workerId).toBe(workerId)

    await letRunOut(workerId)
    for (let passed = 0; passed < LEASE_SECONDS * 1000; passed += RENEW_MS) {
      first.pass(RENEW_MS)
      await first.lease.tick()
    }
    expect((await listLeases()).map((row) => row.worker_id)).toEqual([first.current().workerId])
  })

  test('that sleeps past its lease, with its clock stopped too, loses it to the first worker that checks', async () => {
    const [asleep, awake] = [createWorker(), createWorker()]
    await asleep.lease.tick()
    const { workerId, lost } = asleep.current()
    await letRunOut(workerId)
    await awake.lease.tick()
    expect((await listLeases()).map((row) => row.worker_id)).toEqual([awake.current().workerId])
    asleep.pass(RENEW_MS)
    await asleep.lease.tick()
    expect(lost.aborted).toBe(true)
    expect(asleep.current().workerId).not.toBe(workerId)
  })

  test('keeps a lease that no other worker has removed, however late it renews', async () => {
    const worker = createWorker()
    await worker.lease.tick()
    const { workerId } = worker.current()
    await letRunOut(workerId)
    worker.pass(RENEW_MS)
    await worker.lease.tick()
    expect(worker.current().workerId).toBe(workerId)
    expect(worker.lost).toEqual([])
  })

  test('releases its lease when it stops', async () => {
    const worker = createWorker()
    await worker.lease.tick()
    await worker.lease.giveBack()
    expect(worker.lease.current()).toBe(null)
    expect(await listLeases()).toEqual([])
  })
})

describe('a concurrent renewal and removal', () => {
  let other: pg.Client
  beforeEach(async () => {
    other = new pg.Client({ connectionString: server.databaseUrl })
    await other.connect()
    await other.query('begin')
  })
  afterEach(() => other.end())

  test('keep the lease if the renewal came first', async () => {
    const [renewing, removing] = [createWorker(), createWorker()]
    await renewing.lease.tick()
    const { workerId } = renewing.current()
    await letRunOut(workerId)
    await other.query(`update leases set expires_at = now() + interval '15 seconds' where worker_id = $1`, [
      workerId,
    ])
    // The removal does not wait for the renewal's lock.
    await removing.lease.tick()
    await other.query('commit')
    await removing.lease.tick()
    expect((await listLeases()).map((row) => row.worker_id)).toContain(workerId)
  })

  test('end the lease if the removal came first', async () => {
    const renewing = createWorker()
    await renewing.lease.tick()
    const { workerId } = renewing.current()
    await other.query('delete from leases where worker_id = $1', [workerId])
    renewing.pass(RENEW_MS)
    const tick = renewing.lease.tick()
    const readWaiting = async () =>
      (
        await pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%leases%'`,
        )
      ).rowCount
    await until(readWaiting, (count) => count === 1)
    await other.query('commit')
    await tick
    expect(renewing.lost).toEqual([workerId])
    expect((await listLeases()).map((row) => row.worker_id)).toEqual([renewing.current().workerId])
  })
})

describe('a call', () => {
  let calls: CallStore
  let tenant: Tenant
  const place = (state: keyof (typeof STATES)['call_id'] = 'queued') => STATES.call_id[state](server, tenant)
  const read = async (callId: string) => {
    const row = await calls.find(tenant, callId)
    if (row === undefined) throw new Error('The call is gone')
    return row
  }
  const claim = async (workerId: string) =>
    (await calls.claim({ workerId, free: 1, carried: [], after: '' })).at(0)
  beforeEach(async () => {
    const { database, clock, makeId } = server.context
    calls = createCallStore({ pool, database, clock, makeId, doNotCall, onEvents: () => undefined })
    tenant = { accountId: (await server.createAccount()).accountId, livemode: false }
  })
  afterEach(() => server.context.database.deleteFrom('calls').execute())

  test('is claimed only with a lease, and moved only by its holder', async () => {
    const { database } = server.context
    await place()
    expect(await claim('process-a')).toBeUndefined()
    await addLease(database, 'process-a')
    await addLease(database, 'process-b')
    const call = await claim('process-a')
    if (call === undefined) expect.fail('It was not taken up')
    expect(await calls.interruptAbandoned()).toEqual([])
    expect(await calls.move({ call, workerId: 'process-b', event: 'answered' })).toBeUndefined()
    expect(await calls.move({ call, workerId: 'process-a', event: 'answered' })).toMatchObject({
      status: 'in-progress',
    })
  })

  test('of a dead worker ends as interrupted, and that worker can no longer move it', async () => {
    const { database } = server.context
    await addLease(database, 'process-a')
    await place()
    await place()
    const call = await claim('process-a')
    if (call === undefined) expect.fail('It was not taken up')
    await removeLease(database, 'process-a')
    expect(await calls.interruptAbandoned()).toMatchObject([{ call_id: call.call_id }])
    expect(await read(call.call_id)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
    expect(await calls.move({ call, workerId: 'process-a', event: 'answered' })).toBeUndefined()
    expect(await claim('process-a')).toBeUndefined()
    expect(await calls.interruptAbandoned()).toEqual([])
  })

  test('cannot be moved by a successor while its worker has a lease, or while it has no worker', async () => {
    const { database } = server.context
    await addLease(database, 'process-a')
    const taken = await place()
    await claim('process-a')
    const waiting = await place()
    const machine: StateMachine<CallTable, CallStatus, CallEventName> = {
      table: 'calls',
      idColumn: 'call_id',
      transitions: CALL_TRANSITIONS,
      actors: CALL_EVENT_ACTORS,
      onEntering: (_, now) => ({ ended_at: now, failure_reason: 'interrupted' }),
      onMoved: () => Promise.resolve(),
    }
    const interrupt = (id: string) =>
      database.transaction().execute((tx) =>
        moveState(tx, machine, {
          id,
          from: 'queued',
          event: 'interrupted',
          mover: { actor: 'successor' },
          now: new Date(),
        }),
      )
    expect(await interrupt(taken)).toBeUndefined()
    expect(await interrupt(waiting)).toBeUndefined()
    await removeLease(database, 'process-a')
    expect(await interrupt(waiting)).toBeUndefined()
    expect(await interrupt(taken)).toMatchObject({ status: 'failed' })
  })

  test('that ends before another worker has taken it over keeps that end', async () => {
    const { database } = server.context
    await addLease(database, 'process-a')
    const callId = await place()
    const call = await claim('process-a')
    if (call === undefined) expect.fail('It was not taken up')
    await removeLease(database, 'process-a')
    const end = { failureReason: 'busy' } as const
    expect(await calls.move({ call, workerId: 'process-a', event: 'failed', end })).toMatchObject({
      status: 'failed',
    })
    expect(await calls.interruptAbandoned()).toEqual([])
    expect(await read(callId)).toMatchObject({ failure_reason: 'busy' })
  })

  test('held by an earlier version is left alone until its own lease has expired', async () => {
    // Held by `worker-of-a-test` for a minute, through the column `lease_expires_at`.
    const callId = await place('in-progress')
    expect(await calls.interruptAbandoned()).toEqual([])
    await sql`update calls set lease_expires_at = now() - interval '1 second'`.execute(
      server.context.database,
    )
    expect(await calls.interruptAbandoned()).toMatchObject([{ call_id: callId }])
  })

  test('held by this version is left alone by earlier versions', async () => {
    await addLease(server.context.database, 'process-a')
    await place()
    await claim('process-a')
    // The query with which earlier versions find abandoned calls, verbatim.
    const { rowCount } = await pool.query(
      'select from calls where ended_at is null and dial_started_at is not null and lease_expires_at < now()',
    )
    expect(rowCount).toBe(0)
  })

  test('costs a sweep nothing while its worker is alive, however many calls there are', async () => {
    const { accountId } = tenant
    const single = new pg.Pool({ connectionString: server.databaseUrl, max: 1 })
    try {
      const { clock, makeId, database } = server.context
      const own = createDatabase(single)
      const store = createCallStore({
        pool: single,
        database: own,
        clock,
        makeId,
        doNotCall,
        onEvents: () => undefined,
      })
      for (const worker of ['process-a', 'process-b', 'process-c']) await addLease(database, worker)
      await single.query(
        `insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at,
          dial_started_at, worker_id, lease_expires_at)
        select 'call_held_' || i, $1, false, 'queued', '+9779812345678', 'reminder', 'en-US', 'loopback', now(), now(),
          'process-' || substr('abc', 1 + i % 3, 1), now()
        from generate_series(1, 20000) i`,
        [accountId],
      )
      for (const prepare of ['select 1', 'analyze calls']) {
        await single.query(prepare)
        // Warm up: the planner reads the ends of an index.
        await store.interruptAbandoned()
        const before = await countRowsRead(single, ['calls'])
        expect(await store.interruptAbandoned()).toEqual([])
        expect((await countRowsRead(single, ['calls'])) - before).toBeLessThan(20)
      }
    } finally {
      await single.end()
    }
  })
})

describe('a server', () => {
  const body = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }

  test('hangs up and continues under a new id when its lease is lost', async () => {
    const carrier = createManualSimulatorCarrier()
    // With one call slot, so that the next call proves that the slot was released.
    await using worker = await startTestServer({ createSimulator: () => carrier, config: { maxCalls: 1 } })
    const { context } = worker
    const lease = context.lease.current()
    if (lease === null) expect.fail('It has no lease')
    const { call_id } = (await worker.json<Call>('/agent/calls', { body })).body
    const find = () =>
      context.database
        .selectFrom('calls')
        .where('call_id', '=', call_id)
        .selectAll()
        .executeTakeFirstOrThrow()
    await until(find, ({ worker_id }) => worker_id === lease.workerId)
    await removeLease(context.database, lease.workerId)
    const ended = await until(find, ({ status }) => status === 'failed')
    expect(ended).toMatchObject({ failure_reason: 'interrupted' })
    const next = (await worker.json<Call>('/agent/calls', { body })).body
    const taken = await until(
      () =>
        context.database
          .selectFrom('calls')
          .where('call_id', '=', next.call_id)
          .selectAll()
          .executeTakeFirstOrThrow(),
      ({ worker_id }) => worker_id !== null,
    )
    expect(taken.worker_id).toBe(context.lease.current()?.workerId)
    expect(taken.worker_id).not.toBe(lease.workerId)
  })

  test('ends all calls of a dead worker in one sweep', async () => {
    await using worker = await startTestServer()
    const { database } = worker.context
    const { accountId } = await worker.createAccount()
    await sql`
      insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, carrier, created_at,
        dial_started_at, worker_id, lease_expires_at)
      select 'call_left_' || i, ${accountId}, false, 'queued', '+9779812345678', 'reminder', 'en-US', 'loopback', now(),
        now(), 'process-gone', now() + interval '1 hour'
      from generate_series(1, ${LEFT}::integer) i`.execute(database)
    const readLeft = async () => {
      const { rows } = await sql<{ ended: boolean; count: number }>`
        select ended_at is not null as ended, count(*)::integer as count from calls group by 1`.execute(
        database,
      )
      return rows
    }
    // At a hundred per sweep, every five seconds, it would take 30 s.
    await until(readLeft, (rows) => rows.every(({ ended }) => ended))
    expect(await readLeft()).toEqual([{ ended: true, count: LEFT }])
  })

  test('has no lease without a worker role', () => {
    expect(server.context.lease.current()).toBe(null)
  })
})
