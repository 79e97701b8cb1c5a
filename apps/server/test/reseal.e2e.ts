import { randomBytes } from 'node:crypto'
import type { Batch, Call, OcrDocument, OcrDocumentPages, Verification } from '@vaani/contracts'
import { reseal } from '@vaani/service-kit/service/reseal'
import { createVault, keyIdOf, type VaultKeys } from '@vaani/service-kit/vault/vault'
import { until } from '@vaani/test-services/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { features } from '../src/features.ts'
import { printReseal } from '../src/print-reseal.ts'
import { makePdf } from './support/documents.ts'
import { recordSpeaker } from './support/recordings.ts'
import { runToEnd } from './support/run-to-end.ts'
import { formOf, makeMedia } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { writtenLines } from './support/written-lines.ts'

const [former, current] = [randomBytes(32), randomBytes(32)]
const REPLACED: VaultKeys = [current, former]

/** Starts a server, or with `before` another process on its database and files. */
const start = (encryptionKeys: VaultKeys, before?: TestServer) =>
  startTestServer({
    config: { encryptionKeys, ...(before && sharedWith(before)) },
    ...(before && { key: before.key }),
  })
const sharedWith = ({ context, databaseUrl }: TestServer) => ({
  dataDirectory: context.settings.dataDirectory,
  databaseUrl,
})

const runReseal = ({ context, databaseUrl }: TestServer, ...options: string[]) =>
  runToEnd(['reseal', ...options], {
    DATABASE_URL: databaseUrl,
    VAANI_DATA_DIR: context.settings.dataDirectory,
    VAANI_ENCRYPTION_KEY: REPLACED.map((key) => key.toString('base64')).join(),
  })

/** The same in this process, which takes less time than to start another. */
async function resealHere({ context, databaseUrl }: TestServer, { isDryRun = false } = {}) {
  const printed: string[] = []
  const isDone = await printReseal(
    { ...context.settings, databaseUrl, encryptionKeys: REPLACED },
    {
      isDryRun,
      rowsPerSecond: 1000,
      signal: new AbortController().signal,
      print: (text) => printed.push(text),
    },
  )
  return { isDone, printed: printed.join('') }
}

const NOTHING = () => Promise.resolve()
const resealOn = ({ context: { database } }: TestServer, onPage: () => Promise<void> = NOTHING) =>
  reseal({
    database,
    vault: createVault(REPLACED),
    columns: features.sealed,
    isDryRun: false,
    mostRowsAtOnce: 1000,
    onPage,
    onColumn: () => undefined,
  })

/** Makes one object of each kind that is stored sealed, and returns functions that read them. */
async function makeObjects(server: TestServer) {
  const { accountId, key } = await server.createAccount({ tier: 'enterprise' })
  const { database, webhooks } = server.context
  const owner = { ownerId: accountId, accountId, livemode: false }
  await webhooks.secrets.rotate(database, owner)
  await webhooks.secrets.rotate(database, owner, { overlapMs: 3_600_000, signWith: 'new' })

  const call = await server.json<Call>('/agent/calls', {
    key,
    body: { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' },
  })
  await untilField<Call>(server, `/agent/calls/${call.body.call_id}`, key, ({ ended_at }) => ended_at)
  const batch = await server.json<Batch>('/v1/batch', {
    key,
    body: {
      endpoint: '/v1/chat/completions',
      requests: [
        { custom_id: 'one', body: { model: 'vaani-echo', messages: [{ role: 'user', content: 'Hello' }] } },
      ],
    },
  })
  await untilField<Batch>(server, `/v1/batch/${batch.body.batch_id}`, key, ({ completed_at }) => completed_at)
  const { type, body } = formOf([
    ['name', 'Sita'],
    ['consent', 'true'],
    ['samples', await recordSpeaker('woman')],
  ])
  const headers = { 'content-type': type }
  const voice = await server.json<{ voice_id: string }>('/v1/audio/clone', { key, rawBody: body, headers })
  const media = await makeMedia()
  const verification = await server.json<Verification>('/identity/kyc/v2', {
    key,
    body: {
      front_image_b64: media.image.toString('base64'),
      liveness_video_b64: media.video.toString('base64'),
      external_id: 'test_review_glare',
    },
  })
  const verificationRoute = `/identity/verifications/${verification.body.verification_id}`
  await untilField<Verification>(server, verificationRoute, key, ({ status }) =>
    status === 'pending' ? null : status,
  )

  const document = formOf([['image', makePdf([{ text: 'Page 1' }])]])
  const accepted = await server.json<OcrDocument>('/v1/ocr/process', {
    key,
    rawBody: document.body,
    headers: { 'content-type': document.type, prefer: 'respond-async' },
  })
  const documentRoute = `/v1/ocr/documents/${accepted.body.document_id}`
  await untilField<OcrDocument>(server, documentRoute, key, ({ completed_at }) => completed_at)

  const fetchBytes = async (on: TestServer, route: string) => {
    const response = await on.fetch(route, { key })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, base64: bytes.toString('base64') }
  }
  return async (on: TestServer) => ({
    secrets: (await on.context.webhooks.secrets.read(owner))?.secrets,
    recording: await fetchBytes(on, `/agent/calls/${call.body.call_id}/recording`),
    transcript: await fetchBytes(on, `/agent/calls/${call.body.call_id}/transcript`),
    results: await fetchBytes(on, `/v1/batch/${batch.body.batch_id}/results`),
    image: await fetchBytes(on, `${verificationRoute}/review/media?artifact=front_image`),
    extracted: (await on.json<Verification>(verificationRoute, { key })).body.extracted,
    pages: (await on.json<OcrDocumentPages>(documentRoute, { key })).body.pages,
    voice: (
      await on.fetch('/v1/audio/stream', {
        key,
        body: { model: 'stream-tts', input: 'Hello', voice: voice.body.voice_id, language: 'en-US' },
      })
    ).status,
  })
}

const untilField = <Body>(server: TestServer, route: string, key: string, read: (body: Body) => unknown) =>
  until(
    async () => read((await server.json<Body>(route, { key })).body) ?? null,
    (value) => value !== null,
  )

/** Counts the sealed values of each column under the former key. */
const countFormer = async ({ context: { database } }: TestServer) => {
  const counts: Record<string, number> = {}
  for (const { table, column } of features.sealed) {
    const { rows } = await sql<{ sealed: Buffer | null }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)}`.execute(database)
    const keyId = createVault([former]).keyId
    counts[`${table}.${column}`] = rows.filter(({ sealed }) => sealed && keyIdOf(sealed).equals(keyId)).length
  }
  return counts
}

describe('vaani-server reseal', () => {
  test('seals everything with the first key, so that a server starts without the former one', async () => {
    await using before = await start([former])
    const readAll = await makeObjects(before)
    const expected = await readAll(before)
    expect(expected).toMatchObject({
      secrets: [expect.any(String), expect.any(String)],
      recording: { status: 200 },
      results: { status: 200 },
      image: { status: 200 },
      voice: 200,
    })
    const sealedBefore = await countFormer(before)
    expect(Object.values(sealedBefore)).not.toContain(0)

    await using both = await start(REPLACED, before)
    expect(writtenLines().join()).toContain(
      'Key 2 of VAANI_ENCRYPTION_KEY may still seal something that is stored: run `reseal`',
    )

    const counted = await runReseal(before, '--dry-run')
    expect(counted).toMatchObject({ code: 1, stderr: '' })
    for (const [name, rows] of Object.entries(sealedBefore))
      expect(counted.stdout).toContain(`${name}: ${rows} of `)
    expect(await countFormer(before)).toEqual(sealedBefore)

    const done = await runReseal(before)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).toMatch(/the others can be removed\n$/)
    expect(Object.values(await countFormer(before)).every((rows) => rows === 0)).toBe(true)
    expect(await readAll(both)).toEqual(expected)
    expect(await resealHere(before, { isDryRun: true })).toMatchObject({ isDone: true })

    await using _ = await start(REPLACED, before)
    expect(writtenLines().join()).toContain('Key 2 of VAANI_ENCRYPTION_KEY seals nothing that is stored')
    await using after = await start([current], before)
    expect(await readAll(after)).toEqual(expected)
  })
})

describe('resealing the secrets of webhooks', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await start([former])
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => server.context.database.deleteFrom('webhook_secrets').execute())

  test('goes on from what is left after it was interrupted', async () => {
    await writeSecrets(server, 1200)
    const isStopped = new Error('stopped')
    await expect(resealOn(server, () => Promise.reject(isStopped))).rejects.toBe(isStopped)
    expect((await countFormer(server))['webhook_secrets.sealed']).toBe(700)
    expect(await resealOn(server)).toEqual({ former: 0, unreadable: 0 })
    expect((await countFormer(server))['webhook_secrets.sealed']).toBe(0)
  })

  test('seals no more rows in a second than it may', async () => {
    await writeSecrets(server, 20)
    const stopping = new AbortController()
    const { settings } = server.context
    const resealing = printReseal(
      { ...settings, databaseUrl: server.databaseUrl, encryptionKeys: REPLACED },
      { isDryRun: false, rowsPerSecond: 1, signal: stopping.signal, print: () => undefined },
    )
    const countLeft = async () => (await countFormer(server))['webhook_secrets.sealed'] ?? 0
    await until(countLeft, (left) => left < 20)
    stopping.abort()
    expect(await resealing).toBe(false)
    expect(await countLeft()).toBeGreaterThanOrEqual(18)
  })

  test('never replaces what another connection has written, and waits for no lock', async () => {
    const [first, second] = await writeSecrets(server, 2)
    if (first === undefined || second === undefined) throw new Error('The owners are missing')
    const { database, webhooks } = server.context
    await database.transaction().execute(async (tx) => {
      const locked = { ...first, livemode: false }
      await webhooks.secrets.rotate(tx, locked)
      // Ends although the row is locked all the time.
      expect(await resealOn(server)).toEqual({ former: 1, unreadable: 0 })
    })
    const rotated = await webhooks.secrets.read({ ...first, livemode: false })
    expect(rotated).toMatchObject({ version: 2 })
    await using after = await start(REPLACED, server)
    expect(await resealOn(server)).toEqual({ former: 0, unreadable: 0 })
    expect(await after.context.webhooks.secrets.read({ ...first, livemode: false })).toEqual(rotated)
  })

  test('leaves a damaged value as it is, and reports it', async () => {
    await writeSecrets(server, 3)
    const { database } = server.context
    await sql`
      update webhook_secrets set sealed = sealed || '\\x00'
      where owner_id = (select min(owner_id) from webhook_secrets)`.execute(database)
    const { isDone, printed } = await resealHere(server)
    expect(isDone).toBe(false)
    expect(printed).toContain('webhook_secrets.sealed: 2 of 3 rows sealed anew, 1 cannot be opened\n')
    expect(printed).toContain('Rows that are damaged, and stay under their former key: 1\n')
    expect((await countFormer(server))['webhook_secrets.sealed']).toBe(1)
  })
})

test('all columns of bytes are sealed by the vault, sealed under a key of their row, digests, or public', async () => {
  await using server = await start([former])
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type = 'bytea'`.execute(server.context.database)
  const sealed = features.sealed.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...sealed, ...SEALED_AT_STARTS, ...UNDER_A_KEY, ...DIGESTS, ...PUBLIC].toSorted(),
  )
})

/** Sealed by the vault, anew at each start. */
const SEALED_AT_STARTS = ['vault_check.sealed']
/** Sealed under the data key of their row. */
const UNDER_A_KEY = [
  'batch_requests.request',
  'batch_requests.result',
  'call_transcripts.turns',
  'document_pages.result',
  'review_entries.note',
  'verifications.extracted',
  'verifications.review_note',
  'voices.voice',
]
const DIGESTS = [
  'api_keys.hash',
  'console_links.secret_hash',
  'console_sessions.secret_hash',
  'idempotency_keys.fingerprint',
  'media_fingerprints.fingerprint',
  'members.invitation_hash',
  'sign_in_challenges.challenge_hash',
  'vault_keys.key_id',
]

/** Public halves of keys that stay on the devices of members. */
const PUBLIC = ['member_passkeys.credential_id', 'member_passkeys.public_key']

async function writeSecrets(server: TestServer, count: number) {
  const { database, vault } = server.context
  const { accountId } = await server.createAccount()
  const owners = Array.from({ length: count }, () => ({
    ownerId: server.context.makeId('endpoint'),
    accountId,
  }))
  await database
    .insertInto('webhook_secrets')
    .values(
      owners.map(({ ownerId }) => ({
        owner_id: ownerId,
        account_id: accountId,
        livemode: false,
        sealed: vault.seal('whsec_', ownerId),
      })),
    )
    .execute()
  return owners
}
