/**
 * Client flows through a proxy that validates requests and responses against the OpenAPI document, and the query plans of these flows
 * and of background work, on a database filled as by years of use.
 */
import { randomBytes } from 'node:crypto'
import { faultsOf } from '@vaani/conformance'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { createVault, type VaultKeys } from '@vaani/service-kit/vault/vault'
import { until } from '@vaani/test-services/until'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testClientFlows, upstreamsOfFlows } from './support/client-flows.ts'
import { startChatUpstream, writeUpstreams } from './support/chat-upstream.ts'
import { FILLED_TABLES, fillDatabase, LARGEST_ACCOUNT } from './support/fill-database.ts'
import { type PlanWatch, type Scan, watchPlans } from './support/plans.ts'
import { followEvents } from './support/page-events.ts'
import { operationOf, servedRoutes } from './support/served-routes.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { isExcluded, startValidatedClients, type ValidatedClients } from './support/validated-client.ts'

const ROWS = 30_000
const ACCOUNTS = 500

/** Tables that may be scanned, and the reason. */
const SMALL: Readonly<Record<string, string>> = {
  accounts: 'created by operators; each has its own retention period, so a sweep visits all of them',
  call_transitions: 'a constant of the contract',
  console_links: 'one row per start of the last ten minutes',
  leases: 'one row per running process',
  line_use: 'two rows per account, for yesterday and today',
  lines: 'one row per line with a limit of calls per second',
  license_seats: 'one row per running process',
  license_state: 'one row',
  kysely_migration: 'one row per migration',
  kysely_migration_lock: 'one row',
  sign_in_challenges: 'one row per sign-in of the last five minutes',
  verification_transitions: 'a constant of the contract',
  vault_check: 'one row',
  vault_keys: 'one row per vault key',
  webhook_outbox: 'contains only events not yet read; webhook-cost.e2e.ts covers it',
  webhook_shards: 'always 64 rows',
  webhook_workers: 'one row per running process',
}

/** Partial indexes of waiting or in-progress rows. Postgres knows their size whenever it plans. */
const SHORT_INDEXES = [
  'batch_requests_held',
  'batch_requests_waiting',
  'batches_arriving',
  'batches_expiring',
  'batches_open',
  'batches_open_of_account',
  'caller_id_verifications_under_way',
  'calls_due',
  'calls_held',
  'calls_leased',
  'calls_on_line',
  'calls_waiting_for_line',
  'document_pages_held',
  'document_pages_waiting',
  'documents_open',
  'stored_batches_open_of_account',
  // Revocation lists contain all of it.
  'deployments_revoked',
  'verifications_claimable',
  'verifications_held',
  'verifications_under_way',
  'verifications_waiting',
  'voices_to_erase',
]

/** Whether the route lists what the account has; those of the server are for operators. */
const isList = ({ method, path, responses }: DocumentedRoute): boolean =>
  method === 'GET' &&
  !path.includes(':') &&
  path !== '/admin/accounts' &&
  path !== '/admin/do-not-call' &&
  responses[200] instanceof z.ZodObject &&
  'data' in responses[200].shape

let server: TestServer
let watch: PlanWatch
let clients: ValidatedClients
const held = new AsyncDisposableStack()
afterAll(() => held.disposeAsync())

testClientFlows(async () => {
  const encryptionKeys: VaultKeys = [randomBytes(32)]
  const { baseUrl } = held.use(await startChatUpstream())
  const { settings, remove } = await writeUpstreams(upstreamsOfFlows(baseUrl))
  held.defer(remove)
  const shared = { encryptionKeys, identityPolicy: 'document-only', callbackAllowCidrs: ['127.0.0.0/8'] }
  const first = held.use(await startTestServer({ config: { ...shared, roles: new Set(['api']) } }))
  const pool = new pg.Pool({ connectionString: first.databaseUrl, max: 1 })
  const sealed = createVault(encryptionKeys).seal('a secret', 'its owner')
  await fillDatabase(pool, { rows: ROWS, accounts: ACCOUNTS, sealed })
  await pool.end()
  watch = held.use(watchPlans())
  server = held.use(
    await startTestServer({
      config: { ...shared, ...settings, databaseUrl: first.databaseUrl },
      key: first.key,
    }),
  )
  clients = held.use(await startValidatedClients(server))
  return { server, connect: clients.connect, [Symbol.asyncDispose]: () => Promise.resolve() }
})

describe('audio responses', () => {
  test('are as documented except for their bytes, which Prism still corrupts', async () => {
    const client = clients.connect(server.key)
    const [call] = (await client.calls.list({ status: 'completed' })).data
    const id = call?.call_id ?? ''
    const whole = await (await client.calls.recording(id)).bytes()
    const distorting = clients.connect(server.key, { passesBytes: true })
    expect(await (await distorting.calls.recording(id)).bytes()).not.toEqual(whole)
    const speech = await distorting.speech.stream({ input: 'Good morning.', voice: 'nova' })
    expect(speech.descriptor).toMatchObject({ sample_rate_hz: 16_000 })
    speech.cancel()
  })
})

describe('Prism', () => {
  test('has seen every served route except those it cannot proxy', () => {
    const seen = new Set(clients.exchanges.map(({ operation }) => operation))
    const missed = servedRoutes.filter((route) => !seen.has(operationOf(route)))
    expect(missed.filter((route) => !isExcluded(route)).map(operationOf)).toEqual([])
  })

  test('reports violations only for requests that the server rejects as well', () => {
    const { exchanges } = clients
    expect(exchanges.filter(({ violations, status }) => faultsOf(violations, status).length > 0)).toEqual([])
    expect(exchanges.filter(({ violations }) => violations.length > 0)).not.toEqual([])
  })
})

test('a large account can list, look up, erase and recover', async () => {
  const key = await server.createKey(LARGEST_ACCOUNT, false)
  const get = async <Item>(route: string) => {
    const { status, body } = await server.json<{ data: Item[] }>(route, { key })
    expect({ route, status }).toEqual({ route, status: 200 })
    return body.data
  }
  for (const route of [
    ...servedRoutes.filter(isList).map(({ path }) => path),
    '/agent/calls?status=failed',
    '/agent/calls?status=in-progress',
    '/identity/verifications?status=review',
    '/identity/subjects/person%207',
    '/webhooks/deliveries?status=dead',
    '/webhooks/deliveries?status=pending',
    '/webhooks/deliveries?event_type=call.completed&status=dead',
    `/webhooks/deliveries?endpoint_id=whe_${'0'.repeat(26)}`,
    '/v1/limits',
    '/v1/do-not-call?phone_number=%2B9779800000002',
    `/webhooks/deliveries?event_id=evt_${'0'.repeat(26)}`,
    '/v1/usage?from=2026-01-01&limit=5',
    '/v1/usage?model=chat-large',
    '/requests/summary',
    '/requests?request_id=unknown',
    `/requests?key_id=key_${'0'.repeat(26)}`,
    '/requests?code=state_conflict&limit=5',
    '/requests?operation=calls.cancel&status=409',
    '/requests?status=409',
    `/requests?code=invalid_phone&operation=calls.place&cursor=rfs_${'7'.repeat(26)}`,
  ])
    await get(route)
  expect((await server.json('/identity/subjects/person%207', { key, method: 'DELETE' })).status).toBe(204)
  const since = new Date(Date.now() - 5 * 86_400_000).toISOString()
  const recovered = await server.json('/webhooks/deliveries/recover', { key, body: { since } })
  expect(recovered).toMatchObject({ status: 202, body: { resent: expect.toSatisfy((count) => count > 5) } })
})

test('a page of the console follows events', async () => {
  const key = await server.createKey(LARGEST_ACCOUNT, false)
  const { body, headers } = await server.json<{ key_id: string }>('/console/session', {
    key: null,
    body: { key },
    headers: { 'x-vaani-console': '1' },
  })
  const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  using page = await followEvents(server.url, { cookie, keyId: body.key_id })
  await page.until('reset')
  const call = { to: '+9779812345678', agent_id: 'reminder' }
  const placed = await server.json<{ call_id: string }>('/agent/calls', { key, body: call })
  await page.until('call.queued', placed.body.call_id)
  await server.json('/console/session', {
    key: null,
    method: 'DELETE',
    headers: { 'x-vaani-console': '1', cookie },
  })
  await until(page.hasEnded, (hasEnded) => hasEnded)
})

test('rows past their retention period are swept', async () => {
  const count = async () => {
    const { rows } = await server.context.pool.query<{ kept: number }>(
      `/* Only the test runs this. */
       select ((select count(*) from webhook_deliveries) + (select count(*) from events)
         + (select count(*) from idempotency_keys) + (select count(*) from watermarks) + (select count(*) from refused_requests) + (select count(*) from calls where recording_key is not null)
         + (select count(*) from verifications where media_erased_at is null))::integer as kept`,
    )
    return rows[0]?.kept ?? Number.NaN
  }
  const before = await count()
  await server.context.sweep()
  expect(before - (await count())).toBeGreaterThan(ROWS / 50)
})

test('each table is filled, or listed as small with a reason', async () => {
  const { rows } = await server.context.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  )
  const known = [...FILLED_TABLES, ...Object.keys(SMALL)].toSorted()
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...new Set(known)])
})

test('no statement scans a table or index that grows', async () => {
  expect(watch.texts.size).toBeGreaterThan(100)
  const scans = await watch.scans()
  const isShort = ({ relation, index }: Scan) =>
    SMALL[relation] !== undefined ||
    SHORT_INDEXES.includes(index ?? '') ||
    // The partition for rows outside every month.
    relation.endsWith('_default')
  expect(scans.filter((scan) => !isShort(scan))).toEqual([])
})
