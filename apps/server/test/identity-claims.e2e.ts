/** The order in which workers claim verifications, and its cost. No checks run here. */
import type { Id, Tier } from '@vaani/contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimInTurn, findPending, giveBackAbandoned } from '../src/features/identity/claim-verifications.ts'
import type { VerificationStore } from '../src/features/identity/store.ts'
import { addLease, removeLease } from './support/leases.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { pendingRow } from './support/verification-rows.ts'

let server: TestServer
let store: VerificationStore
let number = 0

beforeAll(async () => {
  // Without workers, so that the workers of the tests are the only ones.
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  store = server.context.identity.store
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(() => server.context.database.deleteFrom('verifications').execute())

const createAccount = async (tier: Tier = 'pro') => (await server.createAccount({ tier })).accountId

/** Inserts pending verifications, oldest first, and returns their ids. */
async function submit(
  accountId: Id<'account'>,
  count: number,
  row: { livemode?: boolean; external_id?: string } = {},
): Promise<string[]> {
  const rows = Array.from({ length: count }, () =>
    pendingRow({
      verification_id: `ver_${String(++number).padStart(8, '0')}`,
      account_id: accountId,
      created_at: new Date(Date.UTC(2026, 0, 1) + number),
      ...row,
    }),
  )
  await server.context.database.insertInto('verifications').values(rows).execute()
  return rows.map(({ verification_id }) => verification_id)
}

/** Simulates a worker with a number of slots that keeps the verifications it claims. */
function startWorker(places: number, workerId = `process-${++number}`) {
  const underWay: string[] = []
  const checking: string[] = []
  let after = ''
  return {
    workerId,
    checking,
    async claim(room = 1) {
      await addLease(server.context.database, workerId)
      const rows = await store.claim({ workerId, checking, room, perAccount: places - 1, underWay, after })
      for (const { account_id, verification_id } of rows) {
        checking.push(verification_id)
        underWay.push(account_id)
        after = account_id
      }
      return rows.map(({ verification_id }) => verification_id)
    },
    async finish(verificationId: string, accountId: Id<'account'>) {
      const row = await store.find({ accountId, livemode: true }, verificationId)
      if (row === undefined) throw new Error('There is no such verification')
      const decided = await store.decide(row, workerId, {
        digests: null,
        judge: () => ({ event: 'check_needed', checks: [], reasons: [], extracted: null }),
      })
      if (decided === undefined) throw new Error('The worker does not hold it')
      underWay.splice(underWay.indexOf(accountId), 1)
    },
  }
}

const countUnderWay = async () => {
  const { rows } = await sql<{ account_id: string; count: string }>`
    select account_id, count(*) from verifications where worker_id is not null group by account_id
  `.execute(server.context.database)
  return new Map(rows.map(({ account_id, count }) => [account_id, Number(count)]))
}

describe('a worker claims', () => {
  test('one of another account at once, however many an account has submitted before', async () => {
    const [a, b] = [await createAccount(), await createAccount()]
    const burst = await submit(a, 100)
    const worker = startWorker(2)
    expect(await worker.claim(2)).toEqual(burst.slice(0, 1))
    const [single] = await submit(b, 1)
    expect(await worker.claim()).toEqual([single])
    // The account has reached its share, although no other account needs the slot.
    await worker.finish(single ?? '', b)
    expect(await worker.claim()).toEqual([])
    await worker.finish(burst[0] ?? '', a)
    expect(await worker.claim(2)).toEqual(burst.slice(1, 2))
  })

  test('the oldest of each account in turn', async () => {
    const accounts = [await createAccount(), await createAccount(), await createAccount()].toSorted()
    const queues: string[][] = []
    for (const account of accounts.toReversed()) queues.unshift(await submit(account, 4))
    const worker = startWorker(8)
    const claimed = await worker.claim(9)
    const turns = [0, 1, 2].flatMap((turn) => queues.map((queue) => queue[turn]))
    expect(claimed).toEqual(turns)
  })

  test('live before test verifications, within and across accounts, and counts both toward the account', async () => {
    const [a, b] = [await createAccount(), await createAccount()].toSorted() as [Id<'account'>, Id<'account'>]
    const tests = await submit(a, 2, { livemode: false })
    const live = await submit(a, 2)
    const others = await submit(b, 1)
    const worker = startWorker(4)
    expect(await worker.claim(2)).toEqual([live[0], others[0]])
    // Each account has one in progress now, and the other account has no more pending.
    expect(await worker.claim(3)).toEqual([live[1], tests[0]])
    expect(await worker.claim()).toEqual([])
  })

  test('those of a dead worker before new ones, and never those that are held, postponed or endless', async () => {
    const a = await createAccount()
    await submit(a, 3, { livemode: false, external_id: 'test_pending_forever' })
    const [first = '', second = '', third = ''] = await submit(a, 3)
    const [alive, dead] = [startWorker(9), startWorker(9)]
    expect(await alive.claim()).toEqual([first])
    expect(await dead.claim()).toEqual([second])
    await removeLease(server.context.database, dead.workerId)
    const worker = startWorker(9)
    expect(await worker.claim()).toEqual([second])
    const [row] = [await store.find({ accountId: a, livemode: true }, second)]
    expect(row?.attempts).toBe(2)
    if (row) await store.postpone(row, worker.workerId, { delaySeconds: 60, countsAsAttempt: true })
    expect(await worker.claim(5)).toEqual([third])
    await store.release([third], worker.workerId)
    expect((await store.find({ accountId: a, livemode: true }, third))?.attempts).toBe(0)
    expect(await worker.claim(5)).toEqual([third])
  })

  test('those that an earlier version holds or postponed only after their lease column has expired', async () => {
    const a = await createAccount()
    const [held = '', postponed = ''] = await submit(a, 2)
    const lease = (id: string, workerId: string | null, seconds: number) =>
      sql`update verifications
        set worker_id = ${workerId}, lease_expires_at = now() + ${seconds} * interval '1 second'
        where verification_id = ${id}`.execute(server.context.database)
    await lease(held, 'worker-of-an-earlier-version', 15)
    await lease(postponed, null, 60)
    const worker = startWorker(9)
    expect(await worker.claim(5)).toEqual([])
    await lease(postponed, null, -1)
    expect(await worker.claim(5)).toEqual([postponed])
    await lease(held, 'worker-of-an-earlier-version', -1)
    expect(await worker.claim(5)).toEqual([held])
  })

  test('with a lease column that keeps earlier versions away while held or postponed', async () => {
    const a = await createAccount()
    const [held = '', postponed = '', released = ''] = await submit(a, 3)
    const worker = startWorker(9)
    expect(await worker.claim(3)).toEqual([held, postponed, released])
    const row = await store.find({ accountId: a, livemode: true }, postponed)
    if (row) await store.postpone(row, worker.workerId, { delaySeconds: 60, countsAsAttempt: true })
    await store.release([released], worker.workerId)
    // The query with which earlier versions claim, verbatim.
    const { rows } = await sql<{ verification_id: string }>`
      select verification_id from verifications
      where status = 'pending' and (lease_expires_at is null or lease_expires_at < now())`.execute(
      server.context.database,
    )
    expect(rows).toEqual([{ verification_id: released }])
  })

  test('exactly as many of each account as of another, with several workers at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => createAccount()))
    await Promise.all(accounts.map((account, index) => submit(account, 20 + 10 * index)))
    const claimed = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const worker = startWorker(100)
        const taken: string[] = []
        for (let turn = 0; turn < 10; turn++) taken.push(...(await worker.claim()))
        return taken
      }),
    )
    expect(new Set(claimed.flat()).size).toBe(60)
    expect([...(await countUnderWay()).values()]).toEqual(accounts.map(() => 12))
  })

  test('one at the cost of a few index steps among a hundred thousand rows', async () => {
    const [a, b, c] = [await createAccount(), await createAccount(), await createAccount()]
    const { database } = server.context
    /** Writes a thousand rows at a time, because statements have a time limit. */
    const write = (account: string, from: number, count: number, status: string) =>
      sql`insert into verifications
          (verification_id, account_id, version, status, livemode, store_media, artifacts, policy, created_at, decided_at)
        select 'ver_' || ${status}::text || ${account}::text || number, ${account}, 2, ${status}, number % 2 = 0, true, '[]', 'default',
          now() - number * interval '1 second', case when ${status} = 'approved' then now() end
        from generate_series(${from}::integer, ${from + count - 1}::integer) as number`.execute(database)
    for (let from = 0; from < 50_000; from += 1000) {
      await write(a, from, 1000, 'approved')
      await write(b, from, 1000, 'pending')
    }
    await write(c, 0, 3, 'pending')
    const worker = startWorker(100)
    await worker.claim(20)
    // Without and with the planner's statistics of the table.
    const { workerId } = worker
    const statements = [
      findPending,
      giveBackAbandoned({ workerId, checking: worker.checking }),
      claimInTurn({ workerId, room: 1, perAccount: 3, underWay: [c, c, c], after: '' }),
    ]
    for (const prepare of [sql`select 1`, sql`analyze verifications`]) {
      await prepare.execute(database)
      const nodes = await database.transaction().execute(async (tx) => {
        const all: PlanNode[] = []
        for (const statement of statements) {
          const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
              explain (analyze, timing off, format json) ${statement}`.execute(tx)
          for (const row of rows) all.push(...flatten(row['QUERY PLAN'][0].Plan))
        }
        return all
      })
      expect(nodes.length).toBeGreaterThan(10)
      // The leases table has only one row per worker, so a sequential scan is fine there.
      const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
      expect(scanned.map((node) => node['Relation Name'])).not.toContain('verifications')
      const visited = nodes.map(
        (node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      )
      expect(Math.max(...visited)).toBeLessThan(100)
    }
  })
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}
const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
