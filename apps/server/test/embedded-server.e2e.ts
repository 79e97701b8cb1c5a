/** A server whose embedded Postgres is killed under load: callers wait briefly, and nothing is lost. */
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account, Call, Verification } from '@vaani/contracts'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { expect, test } from 'vitest'
import { startServerProcess } from './support/server-process.ts'
import { until } from '@vaani/test-services/until'
import { untilDecided } from './support/until-decided.ts'
import { specimenPath } from './support/specimen-path.ts'

const KEY = 'sk_test_embedded_0123456789abcdef'
const CLIENTS = 8
const UNLIMITED = { limit: 100_000, period_seconds: 1 }
const CALL = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }

/** Starts a server with its own Postgres, and returns operations on both. */
async function openStand() {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-server-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  // If the test runs as root, Postgres runs as another user.
  await chmod(folder, 0o755)
  const server = await startServerProcess({
    VAANI_DATA_DIR: folder,
    VAANI_BOOTSTRAP_API_KEY: KEY,
    VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    VAANI_SHUTDOWN_GRACE_SECONDS: '0',
  })
  held.defer(async () => void (await server.kill('SIGTERM')))
  async function ask<Body>(
    route: string,
    body?: object,
    more: { method?: string; idempotencyKey?: string } = {},
  ): Promise<{ status: number; body: Body; retryAfter: number }> {
    const response = await fetch(server.url + route, {
      method: more.method ?? (body ? 'POST' : 'GET'),
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(more.idempotencyKey !== undefined && { 'idempotency-key': more.idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      body: (await response.json()) as Body,
      retryAfter: Number(response.headers.get('retry-after')),
    }
  }
  async function read<Body>(route: string): Promise<Body> {
    const { status, body } = await ask<Body>(route)
    expect(status).toBe(200)
    return body
  }

  async function killPostgres(): Promise<void> {
    const file = path.join(folder, 'postgres/data/postmaster.pid')
    process.kill(Number((await readFile(file, 'utf8')).split('\n', 1)[0]), 'SIGKILL')
  }

  /** Places calls scheduled far ahead, each with its own idempotency key, and retries each until it is placed. */
  function startPlacing() {
    const placed = new Map<string, string>()
    const others: unknown[] = []
    const over = new AbortController()
    async function place(idempotencyKey: string): Promise<void> {
      const scheduled_at = new Date(Date.now() + 100 * 86_400_000).toISOString()
      for (;;) {
        const answer = await ask<Call>('/agent/calls', { ...CALL, scheduled_at }, { idempotencyKey })
        if (answer.status === 201) return void placed.set(idempotencyKey, answer.body.call_id)
        // Expected: the database is down, or the first attempt is still in flight.
        if (![503, 409].includes(answer.status) || !(answer.retryAfter > 0)) others.push(answer)
        await delay(50)
      }
    }
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!over.signal.aborted) await place(randomUUID())
    })
    return {
      placed,
      others,
      async stop() {
        over.abort()
        await Promise.all(clients)
      },
    }
  }

  async function listCallIds(): Promise<string[]> {
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const page = await read<{ data: Call[]; next_cursor: string | null }>(`/agent/calls?limit=100${query}`)
      ids.push(...page.data.map(({ call_id }) => call_id))
      cursor = page.next_cursor
    } while (cursor !== null)
    return ids
  }

  const [account] = (await read<{ data: Account[] }>('/admin/accounts')).data
  const rate_overrides = { place_call: UNLIMITED, status_polls: UNLIMITED }
  const patched = await ask(`/admin/accounts/${account?.account_id}`, { rate_overrides }, { method: 'PATCH' })
  expect(patched.status).toBe(200)
  const cleanUp = held.move()
  /** Submits a verification that is decided without checking its media, because that may take too long on a busy machine. */
  async function submit(): Promise<string> {
    const [front_image_b64, liveness_video_b64] = await Promise.all(
      (['passport.jpg', 'liveness.mp4'] as const).map((name) => readFile(specimenPath(name), 'base64')),
    )
    const body = { front_image_b64, liveness_video_b64, external_id: 'test_approved' }
    const { body: submitted } = await until(
      () => ask<Verification>('/identity/kyc/v2', body),
      ({ status }) => status === 200,
    )
    return submitted.verification_id
  }

  return {
    folder,
    server,
    cleanUp,
    ask,
    read,
    killPostgres,
    startPlacing,
    listCallIds,
    submit,
    [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
  }
}

const queuedIds = (receiver: Receiver): Set<unknown> =>
  new Set(
    receiver.accepted.flatMap(({ event }) => (event.type === 'call.queued' ? [event.data.call_id] : [])),
  )

test.concurrent('kill -9 of its Postgres under load: nothing acknowledged is lost, and all work continues', async () => {
  await using stand = await openStand()
  const { ask, cleanUp, killPostgres, listCallIds, read, server, startPlacing, submit } = stand
  const receiver = cleanUp.use(await startReceiver())
  const endpoint = await ask('/webhooks/endpoints', {
    url: receiver.url,
    events: ['call.queued', 'verification.approved'],
  })
  expect(endpoint.status).toBe(201)
  const placing = startPlacing()
  const before = (await ask<Call>('/agent/calls', CALL)).body
  const submittedBefore = await submit()

  const readiness: number[] = []
  for (const _ of ['once', 'and again']) {
    const count = placing.placed.size
    await until(
      async () => placing.placed.size,
      (now) => now > count + 50,
    )
    await killPostgres()
    for (const wanted of [503, 200])
      await until(
        async () => {
          const { status } = await fetch(`${server.url}/readyz`)
          readiness.push(status)
          return status
        },
        (status) => status === wanted,
      )
    const sinceBack = placing.placed.size
    await until(
      async () => placing.placed.size,
      (now) => now > sinceBack + 50,
    )
  }
  expect(new Set(readiness)).toEqual(new Set([200, 503]))
  await placing.stop()
  expect(placing.others).toEqual([])

  const after = (await ask<Call>('/agent/calls', CALL)).body
  const submittedAfter = await submit()
  const ids = await listCallIds()
  const placedIds = [...placing.placed.values()]
  expect(ids.toSorted()).toEqual([...placedIds, before.call_id, after.call_id].toSorted())

  const readCall = (id: string) => read<Call>(`/agent/calls/${id}`)
  await until(
    () => readCall(before.call_id),
    ({ status }) => status === 'completed' || status === 'failed',
  )
  await until(
    () => readCall(after.call_id),
    ({ status }) => status === 'completed',
  )
  for (const id of [submittedBefore, submittedAfter])
    expect(await untilDecided(read, id)).toMatchObject({ status: 'approved' })
  await until(
    async () => placedIds.filter((id) => !queuedIds(receiver).has(id)).length,
    (missing) => missing === 0,
  )
})

test.concurrent('a Postgres that cannot be restarted shuts the server down gracefully, with the reason', async () => {
  await using stand = await openStand()
  const { ask, folder, killPostgres, server } = stand
  const data = path.join(folder, 'postgres/data')
  await rename(path.join(data, 'global'), path.join(data, 'elsewhere'))
  await killPostgres()
  await until(
    async () => (await fetch(`${server.url}/readyz`)).status,
    (status) => status === 503,
  )
  expect(await ask('/agent/calls')).toMatchObject({
    status: 503,
    body: { error: { code: 'service_unavailable' } },
  })
  await until(
    async () => server.child.exitCode,
    (code) => code !== null,
  )
  expect(server.child.exitCode).toBe(1)
  for (const said of [/"event":"stopped"/, /could not be restarted: .*global/s])
    await until(
      async () => said.test(server.output()),
      (isSaid) => isSaid,
    )
})
