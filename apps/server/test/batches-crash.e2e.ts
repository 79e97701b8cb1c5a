import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Batch } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { expect, test } from 'vitest'
import { proper, startChatUpstream } from './support/chat-upstream.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { until } from '@vaani/test-services/until'

const KEY = 'sk_test_batches_0123456789abcdef'
const REQUESTS = 60
const BEFORE = 25

test('a batch survives kill -9 of its worker, and no request with a result is made again', async () => {
  await using held = new AsyncDisposableStack()
  const database = await createTestDatabase()
  held.defer(() => database.drop())
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-batches-crash-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const upstream = held.use(await startChatUpstream())
  const file = path.join(folder, 'upstreams.json')
  await writeFile(
    file,
    JSON.stringify({
      upstreams: { one: { base_url: upstream.baseUrl, models: ['chat'], max_retries: 0 } },
    }),
  )
  const start = async (roles: string): Promise<ServerProcess> => {
    const server = await startServerProcess({
      DATABASE_URL: database.url,
      VAANI_DATA_DIR: folder,
      VAANI_BOOTSTRAP_API_KEY: KEY,
      VAANI_CHAT_UPSTREAMS_FILE: file,
      VAANI_ROLES: roles,
    })
    held.defer(async () => void (await server.kill('SIGKILL')))
    return server
  }
  const api = await start('api')
  const worker = await start('worker')
  const call = async (route: string, body?: object) => {
    const response = await fetch(`${api.url}/v1/batch${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.text()
  }
  const made = () => upstream.requests.map(({ body }) => String(body.messages[0]?.content))

  // After the first ones, the upstream holds what it is asked.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  for (let index = 0; index < BEFORE; index++) upstream.next.push(proper)
  for (let index = 0; index < REQUESTS; index++)
    upstream.next.push(async (response, received) => {
      await released
      return proper(response, received)
    })
  const requests = Array.from({ length: REQUESTS }, (_, index) => ({
    custom_id: `${index}`,
    body: { model: 'chat', messages: [{ role: 'user', content: `number ${index}` }] },
  }))
  const { batch_id }: Batch = JSON.parse(await call('', { endpoint: '/v1/chat/completions', requests }))
  const read = async (): Promise<Batch> => JSON.parse(await call(`/${batch_id}`))
  await until(read, ({ counts }) => counts.succeeded === BEFORE)
  const before = (await call(`/${batch_id}/results`)).trim().split('\n')
  await worker.kill('SIGKILL')
  release()
  await start('worker')
  const batch = await until(read, ({ status }) => status === 'completed')
  expect(batch.counts).toEqual({ total: REQUESTS, succeeded: REQUESTS, failed: 0 })
  const after = (await call(`/${batch_id}/results`)).trim().split('\n')
  expect(after.slice(0, BEFORE)).toEqual(before)
  const ids = (lines: readonly string[]) => lines.map((line): string => JSON.parse(line).custom_id)
  expect(new Set(ids(after)).size).toBe(REQUESTS)
  for (const id of ids(before)) expect(made().filter((content) => content === `number ${id}`)).toHaveLength(1)
})
