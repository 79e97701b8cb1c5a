import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Batch, OcrDocument, Verification, WebhookEndpoint } from '@vaani/contracts'
import { startReceiver } from '@vaani/test-harness'
import { until } from '@vaani/test-services/until'
import { expect, test } from 'vitest'
import { proper, startChatUpstream, type UpstreamRequest, writeUpstreams } from './support/chat-upstream.ts'
import { drawPage } from './support/documents.ts'
import { query } from './support/query.ts'
import { configOf, createMigrated, restoreBeside } from './support/restored-database.ts'
import { runToEnd } from './support/run-to-end.ts'
import { specimenPath } from './support/specimen-path.ts'
import { formOf, makeMedia } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Requests of the batch, and how many of them have a result in the backup. */
const REQUESTS = 6
const MADE = 3
const FIRST = new Set(Array.from({ length: MADE }, (_, index) => `number ${index}`))
const contentOf = ({ body }: UpstreamRequest): string => String(body.messages[0]?.content)
const EVENTS = [
  'verification.approved',
  'verification.declined',
  'verification.review',
  'batch.completed',
  'document.completed',
]

async function submitVerification(server: TestServer): Promise<void> {
  const { video } = await makeMedia()
  const picture = await readFile(specimenPath('passport.jpg'))
  const submitted = await server.json<Verification>('/identity/kyc/v2', {
    body: { front_image_b64: picture.toString('base64'), liveness_video_b64: video.toString('base64') },
  })
  expect([submitted.status, submitted.body.status]).toEqual([200, 'pending'])
}

async function submitDocument(server: TestServer): Promise<void> {
  const { type, body } = formOf([['image', await drawPage(['The letter from the clinic'])]])
  const headers = { 'content-type': type, prefer: 'respond-async' }
  const { status } = await server.json<OcrDocument>('/v1/ocr/process', { rawBody: body, headers })
  expect(status).toBe(202)
}

async function submitBatch(server: TestServer): Promise<void> {
  const requests = Array.from({ length: REQUESTS }, (_, index) => ({
    custom_id: `${index}`,
    body: { model: 'chat', messages: [{ role: 'user', content: `number ${index}` }] },
  }))
  const endpoint = '/v1/chat/completions'
  expect((await server.json<Batch>('/v1/batch', { body: { endpoint, requests } })).status).toBe(202)
}

async function stateOf(url: string) {
  const [row] = await query<{ made: number; undecided: number; unread: number; running: number }>(
    url,
    `select coalesce((select succeeded from batches), 0) as made,
       (select count(*)::int from verifications where status = 'pending') as undecided,
       (select count(*)::int from documents where status in ('queued', 'processing')) as unread,
       (select count(*)::int from batches where status in ('queued', 'running')) as running`,
  )
  return row ?? { made: 0, undecided: 0, unread: 0, running: 0 }
}
const isOver = ({ undecided, unread, running }: Awaited<ReturnType<typeof stateOf>>) =>
  undecided + unread + running === 0

test(
  'after a restore, work that is done again announces its end with the id that receivers know',
  { tags: 'ffmpeg' },
  async () => {
    await using held = new AsyncDisposableStack()
    const makeFolder = async (): Promise<string> => {
      const folder = await mkdtemp(path.join(tmpdir(), 'vaani-restored-'))
      held.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
      return folder
    }
    const receiver = held.use(await startReceiver())
    const database = held.use(await createMigrated())
    const upstream = held.use(await startChatUpstream())
    const { settings, remove } = await writeUpstreams({
      upstreams: { one: { base_url: upstream.baseUrl, models: ['chat'], max_retries: 0 } },
    })
    held.defer(remove)
    const config = { ...configOf(database), ...settings, identityPolicy: 'document-only' }
    const [before, after] = [await makeFolder(), await makeFolder()]

    // The upstream holds all but the first ones, in whichever order they come.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    for (let index = 0; index < REQUESTS; index++)
      upstream.next.push(async (response, received) => {
        if (!FIRST.has(contentOf(received))) await released
        return proper(response, received)
      })

    const original = { ...config, dataDirectory: before }
    const key = await (async () => {
      await using server = await startTestServer({ config: original })
      const endpoint = { url: `${receiver.url}/hooks`, events: EVENTS }
      const added = await server.json<WebhookEndpoint>('/webhooks/endpoints', { body: endpoint })
      expect(added.status).toBe(201)
      await submitBatch(server)
      await until(
        () => stateOf(database.url),
        ({ made }) => made === MADE,
      )
      return server.key
    })()
    {
      await using api = await startTestServer({ config: { ...original, roles: new Set(['api']) }, key })
      await submitDocument(api)
      await submitVerification(api)
    }
    const restored = held.use(await restoreBeside(database.url))
    await cp(path.join(before, 'blobs'), path.join(after, 'blobs'), { recursive: true })
    release()
    {
      await using _ = await startTestServer({ config: original, key })
      await until(
        () => receiver.deliveries.length,
        (count) => count === 3,
      )
    }
    expect(await stateOf(restored.url)).toEqual({ made: MADE, undecided: 1, unread: 1, running: 1 })
    expect(await stateOf(database.url)).toSatisfy(isOver)
    const idsOf = (deliveries: typeof receiver.deliveries) =>
      deliveries.map(({ headers, event }) => [event.type, headers['webhook-id']]).toSorted()
    const sent = idsOf(receiver.deliveries)

    await query(restored.url, 'update leases set expires_at = now()')
    const prepared = await runToEnd(['restored', '--hold-webhooks'], { DATABASE_URL: restored.url })
    expect(prepared).toMatchObject({ code: 0, stderr: '' })
    const again = { ...config, databaseUrl: restored.url, dataDirectory: after }
    await using _server = await startTestServer({ config: again, key })
    await until(
      () => stateOf(restored.url),
      (state) => isOver(state) && receiver.deliveries.length === 6,
    )
    expect(idsOf(receiver.deliveries.slice(3))).toEqual(sent)
    // Requests with a stored result are not made again.
    const made = upstream.requests.map(contentOf)
    for (let index = 0; index < MADE; index++)
      expect(made.filter((content) => content === `number ${index}`)).toHaveLength(1)
    for (let index = MADE; index < REQUESTS; index++) expect(made).toContain(`number ${index}`)
  },
)
