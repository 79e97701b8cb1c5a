import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import type { Call, Verification } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { describe, expect, test } from 'vitest'
import { seriesOf } from './support/series.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { cannotMount, mountSmallVolume, type SmallVolume } from './support/small-volume.ts'
import { until } from '@vaani/test-services/until'
import { startTestServer } from './support/test-server.ts'
import { readSubmission, uploadInPart } from './support/upload-in-part.ts'

const KEY = 'sk_test_disk_full_0123456789abcdef'
const CALL = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
/** No request may take longer than this while a disk is full. */
const ANSWER_WITHIN_MS = 30_000
const MEGABYTES = 64
/** Postgres with a new database takes 100 MB. */
const MEGABYTES_WITH_POSTGRES = 220

/** Holds the resources of one test. Tests run concurrently, because they spend most of their time waiting. */
function openStand() {
  const held = new AsyncDisposableStack()
  async function start(environment: Record<string, string>, under: string[] = []): Promise<ServerProcess> {
    const server = await startServerProcess({ VAANI_BOOTSTRAP_API_KEY: KEY, ...environment }, { under })
    held.defer(async () => void (await server.kill('SIGKILL')))
    return server
  }
  return {
    held,
    start,
    async startWithDatabase(environment: Record<string, string>, under?: string[]): Promise<ServerProcess> {
      const database = held.use(await createTestDatabase())
      return start({ DATABASE_URL: database.url, ...environment }, under)
    },
    mount: async (megabytes = MEGABYTES): Promise<SmallVolume> => held.use(await mountSmallVolume(megabytes)),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

interface Answer<Body> {
  status: number
  body: Body & { error?: { code: string } }
  retryAfter: string | null
}
async function ask<Body = object>(
  server: ServerProcess,
  route: string,
  { body, method = body === undefined ? 'GET' : 'POST' }: { body?: unknown; method?: string } = {},
): Promise<Answer<Body>> {
  const response = await fetch(server.url + route, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text.startsWith('{') ? JSON.parse(text) : {},
    retryAfter: response.headers.get('retry-after'),
  }
}
/** Uses a new connection unless an agent is given, because the server may close it before reading everything. */
async function submit(
  server: ServerProcess,
  body: string,
  agent: Agent | false = false,
): Promise<Answer<object>> {
  const request = sendRequest(`${server.url}/identity/kyc/v2`, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const answer = (await json(response)) as Answer<object>['body']
  return {
    status: response.statusCode ?? 0,
    body: answer,
    retryAfter: response.headers['retry-after'] ?? null,
  }
}

const noRoom = {
  status: 503,
  body: { error: { code: 'service_unavailable' } },
  retryAfter: expect.stringMatching(/^\d+$/),
}
const filesUnder = async (directory: string): Promise<string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => path.join(entry.parentPath, entry.name))

/** A check that takes more than a second counts as failed, as it may on a busy machine. */
const untilReady = (server: ServerProcess) =>
  until(
    () => ask(server, '/readyz'),
    ({ status }) => status === 200,
  )

async function makeCall(server: ServerProcess): Promise<Call> {
  const placed = await ask<Call>(server, '/agent/calls', { body: CALL })
  expect(placed.status).toBe(201)
  const { body } = await until(
    () => ask<Call>(server, `/agent/calls/${placed.body.call_id}`),
    (answer) => answer.body.ended_at !== undefined,
  )
  return body
}

const mountable = describe.skipIf(cannotMount !== null)
const because = cannotMount === null ? '' : ` (skipped, because nothing can be mounted: ${cannotMount})`

mountable(`a full data directory${because}`, { concurrent: true }, () => {
  test('rejects submissions, keeps nothing of them, and accepts them again once there is room', async () => {
    await using stand = openStand()
    const { mount, startWithDatabase } = stand
    const volume = await mount()
    const server = await startWithDatabase({ VAANI_DATA_DIR: volume.directory })
    const submission = await readSubmission()
    await volume.fill()
    const before = await filesUnder(volume.directory)
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(server, submission)))
    for (const answer of answers) expect(answer).toMatchObject(noRoom)
    expect(await filesUnder(volume.directory)).toEqual(before)
    expect(await ask(server, '/identity/verifications')).toMatchObject({ body: { data: [] } })
    await volume.empty()
    await until(
      () => submit(server, submission),
      ({ status }) => status === 200,
    )
  })

  test('tells in its metrics how much of it is left', async () => {
    await using stand = openStand()
    const volume = await stand.mount()
    await using server = await startTestServer({
      config: { dataDirectory: volume.directory, metricsPort: 0, roles: new Set(['api']) },
    })
    const freeRatio = async () => seriesOf(await server.scrape(), 'vaani_storage_free_ratio')['']
    expect(await freeRatio()).toBeGreaterThan(0.9)
    await volume.fill()
    await until(freeRatio, (ratio) => ratio !== undefined && ratio < 0.05)
  })

  test('is not ready, and leaves nothing of finding out, until there is room', async () => {
    await using stand = openStand()
    const { mount, startWithDatabase } = stand
    const volume = await mount()
    const server = await startWithDatabase({ VAANI_DATA_DIR: volume.directory })
    const before = await filesUnder(volume.directory)
    await untilReady(server)
    expect(await filesUnder(volume.directory)).toEqual(before)
    await volume.fill()
    expect(await ask(server, '/readyz')).toMatchObject({
      status: 503,
      body: { error: { code: 'service_unavailable', details: [{ param: 'storage' }] } },
    })
    expect(await ask(server, '/healthz')).toMatchObject({ status: 200 })
    await volume.empty()
    await untilReady(server)
  })

  test('rejects a submission that was half received', async () => {
    await using stand = openStand()
    const { held, mount, startWithDatabase } = stand
    const volume = await mount()
    const server = await startWithDatabase({ VAANI_DATA_DIR: volume.directory })
    const before = await filesUnder(volume.directory)
    const upload = await uploadInPart(server.url, KEY)
    held.defer(() => upload.destroy())
    await until(
      () => filesUnder(volume.directory),
      (files) => files.length > before.length,
    )
    await volume.fill()
    expect(await upload.finish()).toMatchObject({
      status: 503,
      body: { error: { code: 'service_unavailable' } },
    })
    await volume.empty()
    expect(await filesUnder(volume.directory)).toEqual(before)
  })

  test('costs a call only its recording, and existing recordings can still be read and erased', async () => {
    await using stand = openStand()
    const { mount, startWithDatabase } = stand
    const volume = await mount()
    const server = await startWithDatabase({ VAANI_DATA_DIR: volume.directory })
    const recorded = await makeCall(server)
    await volume.fill()
    const unrecorded = await makeCall(server)
    expect(unrecorded).toMatchObject({ status: 'completed' })
    expect(await ask(server, `/agent/calls/${unrecorded.call_id}/recording`)).toMatchObject({ status: 404 })
    expect(server.output()).toMatch(/"event":"recording_lost"[^\n]*"reason":"ENOSPC"/)
    const route = `/agent/calls/${recorded.call_id}/recording`
    expect(await ask(server, route)).toMatchObject({ status: 200 })
    expect(await ask(server, route, { method: 'DELETE' })).toMatchObject({ status: 204 })
    await volume.empty()
    const again = await makeCall(server)
    expect(await ask(server, `/agent/calls/${again.call_id}/recording`)).toMatchObject({ status: 200 })
  })

  test('leaves a verification pending until there is room', async () => {
    await using stand = openStand()
    const { held, mount, start } = stand
    const volume = await mount()
    const database = await createTestDatabase()
    held.defer(() => database.drop())
    const environment = {
      DATABASE_URL: database.url,
      VAANI_DATA_DIR: volume.directory,
      VAANI_IDENTITY_POLICY: 'document-only',
    }
    const api = await start({ ...environment, VAANI_ROLES: 'api' })
    const worker = await start(environment)
    worker.child.kill('SIGSTOP')
    expect(await submit(api, await readSubmission())).toMatchObject({ status: 200 })
    await volume.fill()
    worker.child.kill('SIGCONT')
    await until(
      async () => worker.output(),
      (log) => /"code":"ENOSPC"[^\n]*"A verification is waiting for storage"/.test(log),
    )
    const read = () => ask<{ data: Verification[] }>(api, '/identity/verifications')
    expect(await read()).toMatchObject({ body: { data: [{ status: 'pending' }] } })
    await volume.empty()
    const decided = await until(read, ({ body }) => body.data[0]?.status !== 'pending')
    expect(decided.body.data).toHaveLength(1)
  })

  test('with the embedded database rejects writes, and recovers once there is room', async () => {
    await using stand = openStand()
    const { mount, start } = stand
    const volume = await mount(MEGABYTES_WITH_POSTGRES)
    const server = await start({ VAANI_DATA_DIR: volume.directory })
    const account = await ask<{ data: { account_id: string }[] }>(server, '/admin/accounts')
    const placeRate = { rate_overrides: { place_call: { limit: 10_000, period_seconds: 1 } } }
    await ask(server, `/admin/accounts/${account.body.data[0]?.account_id}`, {
      body: placeRate,
      method: 'PATCH',
    })
    await volume.fill()
    const later = { ...CALL, scheduled_at: '2027-01-01T00:00:00Z', metadata: { note: 'x'.repeat(3000) } }
    const placed: string[] = []
    const refused = await until(
      async () => {
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => ask<Call>(server, '/agent/calls', { body: later })),
        )
        placed.push(...answers.flatMap(({ status, body }) => (status === 201 ? [body.call_id] : [])))
        return answers.filter(({ status }) => status !== 201)
      },
      (answers) => answers.length === 6,
    )
    for (const answer of refused) expect(answer).toMatchObject(noRoom)
    await volume.empty()
    expect(await ask(server, '/agent/calls', { body: later })).toMatchObject({ status: 201 })
    for (const callId of placed)
      expect(await ask(server, `/agent/calls/${callId}`)).toMatchObject({ status: 200 })
  })

  test('has no effect if only the temporary directory is full', async () => {
    await using stand = openStand()
    const { mount, startWithDatabase } = stand
    const [data, temporary] = [await mount(), await mount(1)]
    await temporary.fill()
    const environment = { VAANI_DATA_DIR: data.directory, TMPDIR: temporary.directory }
    const server = await startWithDatabase(environment)
    expect(await submit(server, await readSubmission())).toMatchObject({ status: 200 })
    expect(await makeCall(server)).toMatchObject({ status: 'completed' })
  })
})

// Runs alone, because the server soon closes silent connections, and the requests that need a file must come before that.
test('a process without free file descriptors rejects requests that need one, and recovers once it has some', async () => {
  await using stand = openStand()
  const { held, startWithDatabase } = stand
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-files-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const limited = ['sh', '-c', 'ulimit -n 100; exec "$@"', 'sh']
  const server = await startWithDatabase({ VAANI_DATA_DIR: folder }, limited)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  held.defer(() => agent.destroy())
  // Small, so that the server reads it whole whatever the response.
  const submission = JSON.stringify({ front_image_b64: 'AAAA', liveness_video_b64: 'AAAA' })
  const unreadable = await submit(server, submission, agent)
  expect(unreadable).toMatchObject({ status: 422 })
  const { port } = new URL(server.url)
  const connections: Socket[] = []
  held.defer(() => connections.forEach((connection) => connection.destroy()))
  await until(
    () => {
      // Anew each time, because the server closes those that stay silent.
      for (let count = 0; count < 150; count++)
        connections.push(connect(Number(port), '127.0.0.1').on('error', () => undefined))
      return submit(server, submission, agent)
    },
    ({ status }) => status === 503,
  )
  for (const connection of connections) connection.destroy()
  await until(
    () => submit(server, submission, agent),
    ({ status }) => status === unreadable.status,
  )
})
