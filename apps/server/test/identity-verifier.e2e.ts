/** How a worker handles the verifications that it has claimed, whatever the outcome of their checks. */
import {
  type CheckResult,
  type CheckRunner,
  CheckRunError,
  DEFAULT_POLICY,
  DOCUMENT_ONLY_POLICY,
  type ReadDocument,
} from '@vaani/identity-checks'
import type { Id } from '@vaani/contracts'
import { BlobError } from '@vaani/service-kit/blobs/blob-store'
import type { Lease } from '@vaani/service-kit/leases/worker-lease'
import { STOP_NOW, startStopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { NO_TRACES } from '@vaani/service-kit/telemetry/tracer'
import { makeDataKey } from '@vaani/service-kit/vault/data-key'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Runners } from '../src/features/identity/check-verification.ts'
import { declareIdentitySpans } from '../src/features/identity/spans.ts'
import { startVerifier, type Verifier } from '../src/features/identity/verifier.ts'
import { addLease, removeLease } from './support/leases.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { pendingRow } from './support/verification-rows.ts'

type RunOptions = Parameters<CheckRunner['run']>[0]

interface Run extends RunOptions {
  finish(): void
  fail(error: Error): void
}

let server: TestServer
let runs: Run[] = []
/** The leases of the workers, by position. */
let leases: (Lease | null)[] = []
const held: Verifier[] = []

beforeEach(async () => {
  runs = []
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  const { database } = server.context
  leases = await Promise.all(['process-0', 'process-1'].map((workerId) => addLease(database, workerId)))
})
afterEach(async () => {
  await Promise.all(held.splice(0).map((verifier) => verifier.stop(STOP_NOW)))
  await server[Symbol.asyncDispose]()
})

/** Starts a worker whose checks the test ends. */
function start(options: { concurrency?: number; policy?: typeof DEFAULT_POLICY } = {}): Verifier {
  const { concurrency = 2, policy = DEFAULT_POLICY } = options
  const { identity, vault, clock, events, log, settings } = server.context
  const position = held.length
  const runner: Runners['test'] = {
    run(request) {
      const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>()
      runs.push({ ...request, finish: () => resolve({ fields: null, likeness: null }), fail: reject })
      return promise
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const verifier = startVerifier({
    lease: { current: () => leases[position] ?? null },
    concurrency,
    perAccount: concurrency - 1,
    checkDirectory: settings.dataDirectory,
    store: identity.store,
    media: identity.media,
    runners: { test: runner, live: runner },
    vault,
    policyNamed: () => policy,
    clock,
    events,
    spans: declareIdentitySpans(NO_TRACES),
    onLost: () => undefined,
    log,
  })
  held.push(verifier)
  return verifier
}

async function submit(accountId: Id<'account'>, checks: readonly CheckResult[] = []): Promise<string> {
  const { makeId, database, vault } = server.context
  const verification_id = makeId('verification')
  const { sealed } = makeDataKey(vault, verification_id)
  await database
    .insertInto('verifications')
    .values(
      pendingRow({
        verification_id,
        account_id: accountId,
        data_key: sealed,
        checks: JSON.stringify(checks),
      }),
    )
    .execute()
  return verification_id
}

const find = async (verificationId: string) =>
  server.context.database
    .selectFrom('verifications')
    .where('verification_id', '=', verificationId)
    .selectAll()
    .executeTakeFirstOrThrow()
const untilDecided = (id: string) =>
  until(
    () => find(id),
    ({ status }) => status !== 'pending',
  )
const untilRuns = (count: number) =>
  until(
    async () => runs.length,
    (length) => length >= count,
  )
/** Makes a postponed verification due at once. */
const bringForward = (id: string) =>
  sql`update verifications
    set not_before = now() - interval '1 second', lease_expires_at = now() - interval '1 second'
    where verification_id = ${id} and worker_id is null`.execute(server.context.database)

const passed = (check: CheckResult['check']): CheckResult => ({
  check,
  outcome: 'passed',
  code: 'good',
  score: 1,
  evidence: {},
  model: 'test/1',
})

describe('a worker', () => {
  test('starts a verification of another account at once while one account has its full share', async () => {
    const [a, b] = [await server.createAccount(), await server.createAccount()]
    for (let sent = 0; sent < 5; sent++) await submit(a.accountId)
    const verifier = start({ concurrency: 3 })
    await untilRuns(2)
    const single = await submit(b.accountId)
    verifier.wake()
    await untilRuns(3)
    expect(runs.map(({ owner }) => owner)).toEqual([a.accountId, a.accountId, b.accountId])
    runs[2]?.finish()
    await untilDecided(single)
    // The slot stays free, because the other account has its full share.
    verifier.wake()
    expect((await find(single)).attempts).toBe(1)
    runs[0]?.finish()
    await untilRuns(4)
    expect(runs[3]?.owner).toBe(a.accountId)
  })

  test('tries a verification three times with backoff, then passes it to review with the results so far', async () => {
    const { accountId } = await server.createAccount()
    const id = await submit(accountId, [passed('video_integrity')])
    const verifier = start()
    for (let attempt = 1; attempt <= 3; attempt++) {
      await untilRuns(attempt)
      if (attempt === 1) runs[0]?.tell(passed('document_quality'))
      else expect(runs.at(-1)?.known).toEqual(['video_integrity', 'document_quality'])
      runs.at(-1)?.fail(new Error('poison'))
      if (attempt === 3) break
      const row = await until(
        () => find(id),
        ({ worker_id }) => worker_id === null,
      )
      expect(row).toMatchObject({ status: 'pending', attempts: attempt })
      expect(row.not_before?.getTime()).toBeGreaterThan(Date.now() + 30_000)
      await bringForward(id)
      verifier.wake()
    }
    const decided = await untilDecided(id)
    expect(decided.status).toBe('review')
    expect(runs).toHaveLength(3)
    const codes = Object.fromEntries(
      decided.checks.map(({ check, outcome, code }) => [check, `${outcome} ${code}`]),
    )
    expect(codes).toMatchObject({
      video_integrity: 'passed good',
      document_quality: 'passed good',
      mrz_checks: 'warning attempts_exhausted',
      liveness: 'warning attempts_exhausted',
    })
    expect(decided.reasons).toContainEqual(
      expect.objectContaining({ check: 'mrz_checks', code: 'attempts_exhausted', outcome: 'warning' }),
    )
  })

  test('counts no attempt while storage is full or unavailable, however long that lasts', async () => {
    const { accountId } = await server.createAccount()
    const id = await submit(accountId, [passed('video_integrity')])
    const verifier = start()
    const absences = [
      Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
      new BlobError('unavailable', 'The store is away'),
    ]
    for (let absence = 0; absence < 5; absence++) {
      await untilRuns(absence + 1)
      runs.at(-1)?.fail(absences[absence % 2] ?? new Error('none'))
      const row = await until(
        () => find(id),
        ({ worker_id }) => worker_id === null,
      )
      expect(row).toMatchObject({ status: 'pending', attempts: 0 })
      expect(row.not_before?.getTime()).toBeLessThan(Date.now() + 10_000)
      await bringForward(id)
      verifier.wake()
    }
  })

  test('finally passes a verification without its media to review, and continues with others', async () => {
    const [a, b] = [await server.createAccount(), await server.createAccount()]
    const id = await submit(a.accountId)
    await server.context.database
      .updateTable('verifications')
      .set({
        artifacts: JSON.stringify([{ name: 'front_image', key: 'identity/none/front_image', bytes: 1 }]),
      })
      .where('verification_id', '=', id)
      .execute()
    const verifier = start()
    const other = await submit(b.accountId)
    verifier.wake()
    await untilRuns(1)
    expect(runs[0]?.owner).toBe(b.accountId)
    runs[0]?.finish()
    await untilDecided(other)
    const decided = await until(
      async () => {
        await bringForward(id)
        verifier.wake()
        return find(id)
      },
      ({ status }) => status !== 'pending',
    )
    expect(decided).toMatchObject({ status: 'review', attempts: 4 })
  })

  test('counts no attempt that found no free slot or was ended by a shutdown', async () => {
    const { accountId } = await server.createAccount()
    const id = await submit(accountId)
    const first = start()
    await untilRuns(1)
    runs[0]?.fail(new CheckRunError('busy', 'No place became free in time'))
    await until(
      () => find(id),
      ({ attempts, worker_id }) => attempts === 0 || worker_id !== null,
    )
    first.wake()
    await untilRuns(2)
    using deadline = startStopDeadline(0)
    await first.stop(deadline)
    expect(await find(id)).toMatchObject({ attempts: 0, worker_id: null, status: 'pending' })
    start()
    await untilRuns(3)
    runs[2]?.finish()
    expect((await untilDecided(id)).attempts).toBe(1)
  })

  test('without its lease claims nothing, and decides nothing that another worker has taken over', async () => {
    const { accountId } = await server.createAccount()
    const id = await submit(accountId)
    const first = start()
    await untilRuns(1)
    await removeLease(server.context.database, 'process-0')
    leases[0] = null
    start()
    await untilRuns(2)
    expect(await find(id)).toMatchObject({ worker_id: 'process-1', attempts: 2 })
    runs[0]?.finish()
    const other = await submit((await server.createAccount()).accountId)
    first.wake()
    await until(
      () => find(other),
      ({ worker_id }) => worker_id === 'process-1',
    )
    expect(await find(id)).toMatchObject({ status: 'pending', worker_id: 'process-1' })
    runs[1]?.finish()
    expect((await untilDecided(id)).attempts).toBe(2)
  })

  test('releases a verification that it holds without knowing, as after a claim whose reply was lost', async () => {
    const { accountId } = await server.createAccount()
    const id = await submit(accountId)
    await server.context.database
      .updateTable('verifications')
      .set({ worker_id: 'process-0', attempts: 1 })
      .where('verification_id', '=', id)
      .execute()
    start()
    await untilRuns(1)
    expect(await find(id)).toMatchObject({ worker_id: 'process-0', attempts: 2 })
  })

  test('passes a verification that was given up to review if a required check has not run', async () => {
    const { accountId } = await server.createAccount()
    const id = await submit(accountId, [passed('document_quality'), passed('mrz_checks')])
    await server.context.database
      .updateTable('verifications')
      .set({ attempts: 3 })
      .where('verification_id', '=', id)
      .execute()
    start({ policy: DOCUMENT_ONLY_POLICY })
    expect((await untilDecided(id)).status).toBe('review')
    expect(runs).toEqual([])
  })
})
