import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Call } from '@vaani/contracts'
import { decodeWav } from '@vaani/pcm-audio'
import { SIMULATOR_NUMBERS } from '@vaani/telephony-sip/simulator'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { filesInTheClear } from './support/files-in-the-clear.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const TO = '+9779812345678'
const DAY_MS = 86_400_000
/** Offset of the second segment: the header, and the first segment with its tag. */
const SECOND_SEGMENT = 65_536 + 16 + 24

let server: TestServer
let nowMs = Date.now()
beforeAll(async () => {
  server = await startTestServer({ clock: { nowMs: () => nowMs } })
  // Three seconds, more than one segment of a recording.
  const greeting = 'Good morning, this is a reminder of your appointment.'
  const agent = { name: 'Reminder', language: 'en-US', voice: 'nova', greeting }
  await server.json('/admin/agents/reminder', { method: 'PUT', body: agent })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Asker {
  key?: string
  to?: string
  on?: TestServer
}
async function place({ key, to = TO, on = server }: Asker = {}): Promise<Call> {
  const body = { to, agent_id: 'reminder', language: 'en-US' }
  return (await on.json<Call>('/agent/calls', { body, ...(key !== undefined && { key }) })).body
}
async function makeCall(asker: Asker = {}): Promise<string> {
  const { call_id } = await place(asker)
  const { key, on = server } = asker
  await until(
    async () => (await on.json<Call>(`/agent/calls/${call_id}`, key === undefined ? {} : { key })).body,
    ({ ended_at }) => ended_at !== undefined,
  )
  return call_id
}
const routeOf = (callId: string) => `/agent/calls/${callId}/recording`
const listen = (callId: string, key?: string) =>
  server.json(routeOf(callId), key === undefined ? {} : { key })
const erase = (callId: string, key?: string) =>
  server.json(routeOf(callId), { method: 'DELETE', ...(key !== undefined && { key }) })
async function hear(callId: string, on = server): Promise<Buffer> {
  const response = await on.fetch(routeOf(callId))
  expect(response.status).toBe(200)
  const wav = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(wav.length))
  return wav
}
const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })
const blobOf = (callId: string, on = server) =>
  path.join(on.context.settings.dataDirectory, 'blobs/recordings', callId)
const rowOf = (callId: string) =>
  server.context.database
    .selectFrom('calls')
    .where('call_id', '=', callId)
    .selectAll()
    .executeTakeFirstOrThrow()

describe('a stored recording', () => {
  test('is encrypted and private, and is served unchanged', async () => {
    const callId = await makeCall()
    const { dataDirectory } = server.context.settings
    expect(await filesInTheClear(dataDirectory)).toEqual([])
    expect((await stat(blobOf(callId))).mode & 0o777).toBe(0o600)
    expect((await stat(path.dirname(blobOf(callId)))).mode & 0o777).toBe(0o700)
    const wav = await hear(callId)
    const { samples } = decodeWav(wav)
    expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true)
    expect((await readFile(blobOf(callId))).includes(wav.subarray(44, 144))).toBe(false)
  })

  test('cannot be swapped with another', async () => {
    const [first, second] = [await makeCall(), await makeCall()]
    await rename(blobOf(first), `${blobOf(first)}-away`)
    await rename(blobOf(second), blobOf(first))
    await rename(`${blobOf(first)}-away`, blobOf(second))
    for (const callId of [first, second])
      expect(await listen(callId)).toMatchObject(refusal(500, 'internal_error'))
  })

  test('is never served past the point where it is damaged', async () => {
    const callId = await makeCall()
    const wav = await hear(callId)
    const blob = await readFile(blobOf(callId))
    expect(blob.length).toBeGreaterThan(SECOND_SEGMENT)
    blob[SECOND_SEGMENT] = (blob[SECOND_SEGMENT] ?? 0) ^ 1
    await writeFile(blobOf(callId), blob)
    const response = await server.fetch(routeOf(callId))
    const heard: Uint8Array[] = []
    const reading = (async () => {
      for await (const chunk of response.body ?? []) heard.push(chunk)
    })()
    await expect(reading).rejects.toThrow(/terminated/)
    expect(wav.subarray(0, 65_536).equals(Buffer.concat(heard))).toBe(true)
    await writeFile(blobOf(callId), blob.subarray(0, 100))
    expect(await listen(callId)).toMatchObject(refusal(500, 'internal_error'))
  })

  test('that is missing from the blob store is not found', async () => {
    const callId = await makeCall()
    await rm(blobOf(callId))
    expect(await listen(callId)).toMatchObject(refusal(404, 'not_found'))
  })

  test('can be decrypted with a former key, and a server without a key for it does not start', async () => {
    const [former, current] = [randomBytes(32), randomBytes(32)]
    await using before = await startTestServer({ config: { encryptionKeys: [former] } })
    const callId = await makeCall({ on: before })
    const { dataDirectory, databaseUrl } = before.context.settings
    const shared = { dataDirectory, databaseUrl }
    await using after = await startTestServer({
      config: { ...shared, encryptionKeys: [current, former] },
      key: before.key,
    })
    expect((await hear(callId, after)).equals(await hear(callId, before))).toBe(true)
    await expect(
      startTestServer({ config: { ...shared, encryptionKeys: [current] }, key: before.key }),
    ).rejects.toMatchObject({ name: 'ConfigError' })
    await after.context.database
      .updateTable('calls')
      .set({ recording_data_key: null, recording_erased_at: new Date() })
      .execute()
    await using last = await startTestServer({
      config: { ...shared, encryptionKeys: [current] },
      key: before.key,
    })
    expect(await last.context.database.selectFrom('vault_keys').select('key_id').execute()).toEqual([
      { key_id: last.context.vault.keyId },
    ])
  })

  test('of an earlier version, stored unencrypted, can be served and erased', async () => {
    const callId = await makeCall()
    await erase(callId)
    await server.context.blobs.put(`recordings/${callId}.wav`, Buffer.from('RIFF…'), { maxBytes: 100 })
    await server.context.database
      .updateTable('calls')
      .set({ recording_key: `recordings/${callId}.wav`, recording_erased_at: null })
      .where('call_id', '=', callId)
      .execute()
    expect(String(await hear(callId))).toBe('RIFF…')
    expect((await erase(callId)).status).toBe(204)
    expect(await filesInTheClear(server.context.settings.dataDirectory)).toEqual([])
  })
})

describe('erasing a recording', () => {
  test('removes its key and its bytes, and can be repeated', async () => {
    const callId = await makeCall()
    expect((await rowOf(callId)).recording_data_key).not.toBe(null)
    for (const _ of ['first', 'retry']) expect((await erase(callId)).status).toBe(204)
    expect(await rowOf(callId)).toMatchObject({ recording_key: null, recording_data_key: null })
    await expect(stat(blobOf(callId))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await listen(callId)).toMatchObject(refusal(404, 'not_found'))
  })

  test('is rejected during the call, and changes nothing', async () => {
    const { call_id } = await place()
    expect(await erase(call_id)).toMatchObject(refusal(409, 'state_conflict'))
    await until(
      () => rowOf(call_id),
      ({ ended_at }) => ended_at !== null,
    )
    expect((await hear(call_id)).length).toBeGreaterThan(1000)
  })

  test('of a call without one gets not found', async () => {
    const busy = await makeCall({ to: SIMULATOR_NUMBERS.busy.number })
    expect(await erase(busy)).toMatchObject(refusal(404, 'not_found'))
    expect(await erase('call_00000000000000000000000000')).toMatchObject(refusal(404, 'call_not_found'))
  })

  test('needs a key that can change calls', async () => {
    const { accountId, key } = await server.createAccount()
    const callId = await makeCall({ key })
    const reader = await server.createKey(accountId, false, ['calls:read'])
    expect(await erase(callId, reader)).toMatchObject(refusal(403, 'forbidden'))
    expect((await erase(callId, key)).status).toBe(204)
  })

  test('works while the blob store is down, and the sweep removes the bytes later', async () => {
    const callId = await makeCall()
    const remove = vi
      .spyOn(server.context.blobs, 'delete')
      .mockRejectedValueOnce(Object.assign(new Error('Away'), { code: 'ECONNREFUSED' }))
    expect((await erase(callId)).status).toBe(204)
    remove.mockRestore()
    expect(await listen(callId)).toMatchObject(refusal(404, 'not_found'))
    expect((await rowOf(callId)).recording_data_key).toBe(null)
    expect((await stat(blobOf(callId))).isFile()).toBe(true)
    await server.context.sweep()
    await expect(stat(blobOf(callId))).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await rowOf(callId)).recording_key).toBe(null)
  })
})

test('a recording is kept for the retention period of the account, or else of the server', async () => {
  const account = await server.createAccount()
  const other = await server.createAccount()
  const set = await server.json(`/admin/accounts/${account.accountId}`, {
    method: 'PATCH',
    body: { recording_retention_days: 2 },
  })
  expect(set).toMatchObject({ status: 200, body: { recording_retention_days: 2 } })
  const mine = await makeCall({ key: account.key })
  const theirs = await makeCall({ key: other.key })
  const startedMs = nowMs
  const statusesAfter = async (days: number) => {
    nowMs = startedMs + days * DAY_MS
    await server.context.sweep()
    return [
      (await server.fetch(routeOf(mine), { key: account.key })).status,
      (await server.fetch(routeOf(theirs), { key: other.key })).status,
    ]
  }
  try {
    expect(await statusesAfter(1.9)).toEqual([200, 200])
    expect(await statusesAfter(2.1)).toEqual([404, 200])
    expect(await statusesAfter(30.1)).toEqual([404, 404])
    const blobs = await readdir(path.join(server.context.settings.dataDirectory, 'blobs'), {
      recursive: true,
    })
    expect(blobs.filter((name) => name.includes(mine))).toEqual([])
  } finally {
    nowMs = startedMs
  }
})

test('only an operator can set the retention period of recordings', async () => {
  const { accountId, key } = await server.createAccount()
  const change = { method: 'PATCH', body: { recording_retention_days: 0 }, key }
  expect(await server.json(`/admin/accounts/${accountId}`, change)).toMatchObject(refusal(403, 'forbidden'))
})

describe('a call that cannot be recorded', () => {
  test('continues without a recording, and logs it', async () => {
    await using broken = await startTestServer()
    await rm(path.join(broken.context.settings.dataDirectory, 'unsealed'), { recursive: true })
    const callId = await makeCall({ on: broken })
    expect(await broken.json(`/agent/calls/${callId}`)).toMatchObject({ body: { status: 'completed' } })
    expect(await broken.json(routeOf(callId))).toMatchObject(refusal(404, 'not_found'))
    expect(await broken.json(routeOf(callId), { method: 'DELETE' })).toMatchObject(refusal(404, 'not_found'))
    expect(broken.context.events.counts().recording_lost).toBe(1)
  })

  test('leaves nothing unencrypted if the blob store rejects its recording', async () => {
    await using broken = await startTestServer()
    vi.spyOn(broken.context.blobs, 'put').mockRejectedValue(
      Object.assign(new Error('Full'), { code: 'ENOSPC' }),
    )
    const callId = await makeCall({ on: broken })
    expect(await broken.json(`/agent/calls/${callId}`)).toMatchObject({ body: { status: 'completed' } })
    expect(broken.context.events.counts().recording_lost).toBe(1)
    expect(await filesInTheClear(broken.context.settings.dataDirectory)).toEqual([])
  })
})

test('a call is kept for the retention period after its end, and a waiting one for longer', async () => {
  await using short = await startTestServer({
    clock: { nowMs: () => nowMs },
    config: { callRetentionDays: 20, recordingRetentionDays: 30 },
  })
  const startedMs = nowMs
  const ended = await makeCall({ on: short })
  const { call_id: waiting } = (
    await short.json<Call>('/agent/calls', {
      body: {
        to: TO,
        agent_id: 'reminder',
        language: 'en-US',
        scheduled_at: new Date(startedMs + 300 * DAY_MS).toISOString(),
      },
    })
  ).body
  const statusesAfter = async (days: number) => {
    nowMs = startedMs + days * DAY_MS
    await short.context.sweep()
    return Promise.all(
      [ended, waiting].map(async (callId) => (await short.fetch(`/agent/calls/${callId}`)).status),
    )
  }
  try {
    expect(await statusesAfter(19.9)).toEqual([200, 200])
    expect((await stat(blobOf(ended, short))).isFile()).toBe(true)
    const away = vi
      .spyOn(short.context.blobs, 'delete')
      .mockRejectedValue(Object.assign(new Error('Away'), { code: 'ECONNREFUSED' }))
    // The recording's key is gone, and the row is kept because its bytes are still to be removed.
    expect(await statusesAfter(20.1)).toEqual([200, 200])
    away.mockRestore()
    expect(await statusesAfter(20.2)).toEqual([404, 200])
    await expect(stat(blobOf(ended, short))).rejects.toMatchObject({ code: 'ENOENT' })
  } finally {
    nowMs = startedMs
  }
})
