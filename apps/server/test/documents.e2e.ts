import {
  documentEventSchema,
  LIMITS,
  type OcrDocument,
  type OcrDocumentPages,
  ocrDocumentPagesSchema,
  ocrDocumentSchema,
  type OcrResult,
} from '@vaani/contracts'
import { systemClock } from '@vaani/service-kit/clock'
import { startReceiver } from '@vaani/test-harness'
import { until } from '@vaani/test-services/until'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClaimedPage, claimPages } from '../src/features/ocr/documents/claim-pages.ts'
import { drawPage, makePdf } from './support/documents.ts'
import { addLease } from './support/leases.ts'
import { formOf } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const PATH = '/v1/ocr/process'
const HOUR_MS = 3_600_000
const PAGES = 12
const ASYNC = { prefer: 'respond-async' }

/** A PDF whose pages have their number as a text layer. */
const pdfOf = (pages: number): Buffer =>
  makePdf(Array.from({ length: pages }, (_, index) => ({ text: `Page ${index + 1}` })))

interface Sending {
  to: TestServer
  key: string
  headers?: Record<string, string>
}
function send<Body = OcrDocument>(pdf: Buffer, { to, key, headers }: Sending) {
  const { type, body } = formOf([['image', pdf]])
  return to.json<Body>(PATH, { key, rawBody: body, headers: { 'content-type': type, ...headers } })
}

interface Refusal {
  error: { code: string; message: string; param: string | null }
}

describe('a long document', () => {
  const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms }
  let server: TestServer
  let key: string
  beforeAll(async () => {
    server = await startTestServer({ clock, config: { callbackAllowCidrs: ['127.0.0.0/8'], metricsPort: 0 } })
    ;({ key } = await server.createAccount({ tier: 'pro' }))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const read = async (documentId: string, query = '') =>
    (await server.json<OcrDocumentPages>(`/v1/ocr/documents/${documentId}${query}`, { key })).body
  const ended = (documentId: string) =>
    until(
      () => read(documentId),
      ({ status }) => status === 'completed' || status === 'failed',
    )
  const stored = (documentId: string) => Array.fromAsync(server.context.blobs.list(`documents/${documentId}`))

  test('is read as its sender says', async () => {
    const answer = await server.json<OcrDocument>(PATH, {
      key,
      headers: ASYNC,
      body: { image_b64: pdfOf(1).toString('base64'), text_layer: 'ignore', orientation: 'as_is' },
    })
    const { pages } = await ended(answer.body.document_id)
    expect(pages).toMatchObject([{ text: 'Page 1', page: { source: 'recognition' } }])
  })

  test('gets a handle, gives its pages in order, and sends one event', async () => {
    await using receiver = await startReceiver()
    await server.json('/webhooks/endpoints', {
      key,
      body: { url: `${receiver.url}/hooks`, events: ['document.completed'] },
    })
    const { status, body, headers } = await send(pdfOf(PAGES), { to: server, key })
    expect({ status, preference: headers.get('preference-applied') }).toEqual({
      status: 202,
      preference: null,
    })
    expect(ocrDocumentSchema.parse(body)).toMatchObject({
      status: 'queued',
      failure_reason: null,
      language: 'en',
      counts: { total: PAGES, read: 0, unreadable: 0 },
      completed_at: null,
    })
    const { document_id: documentId } = body
    const document = await ended(documentId)
    expect(ocrDocumentPagesSchema.parse(document)).toMatchObject({
      status: 'completed',
      counts: { total: PAGES, read: PAGES, unreadable: 0 },
      has_more: false,
    })
    const texts = document.pages.map((page) => page.error === null && page.text)
    expect(texts).toEqual(Array.from({ length: PAGES }, (_, index) => `Page ${index + 1}`))
    expect(document.pages[0]).toMatchObject({
      number: 1,
      confidence: 1,
      page: { source: 'text_layer', rotation: 0 },
    })
    const rest = await read(documentId, '?after=10')
    expect(rest.pages.map(({ number }) => number)).toEqual([11, 12])

    const { pages: _pages, has_more: _more, ...data } = document
    await until(
      async () => receiver.deliveries.length,
      (count) => count === 1,
    )
    expect(documentEventSchema.parse(JSON.parse(String(receiver.deliveries[0]?.body)))).toMatchObject({
      type: 'document.completed',
      data,
    })
    const events = await server.context.database
      .selectFrom('events')
      .where('object_id', '=', documentId)
      .select('event_id')
      .execute()
    expect(events).toHaveLength(1)
  })

  test('is kept encrypted, its file until it is read and its pages until they expire', async () => {
    const { body } = await send(pdfOf(2), { to: server, key, headers: ASYNC })
    await ended(body.document_id)
    await until(
      () => stored(body.document_id),
      (blobs) => blobs.length === 0,
    )
    const rows = await server.context.database
      .selectFrom('document_pages')
      .where('document_id', '=', body.document_id)
      .selectAll()
      .execute()
    expect(rows).toHaveLength(2)
    expect(rows.some(({ result }) => result?.includes('Page'))).toBe(false)
    clock.ms += 24 * HOUR_MS - 60_000
    await server.context.sweep()
    await expect(read(body.document_id)).resolves.toMatchObject({ status: 'completed' })
    clock.ms += 120_000
    await server.context.sweep()
    expect(await server.json(`/v1/ocr/documents/${body.document_id}`, { key })).toMatchObject({ status: 404 })
    const left = await server.context.database
      .selectFrom('document_pages')
      .where('document_id', '=', body.document_id)
      .select('number')
      .execute()
    expect(left).toEqual([])
  })

  test('says of each page that cannot be read why, and fails only without any other', async () => {
    // The second page is an object that does not exist.
    const broken = Buffer.from(pdfOf(3).toString('latin1').replace('\n7 0 obj', '\n99 0 obj'), 'latin1')
    const { body } = await send(broken, { to: server, key, headers: ASYNC })
    const document = await ended(body.document_id)
    expect(document).toMatchObject({
      status: 'completed',
      failure_reason: null,
      counts: { total: 3, read: 2, unreadable: 1 },
    })
    expect(document.pages).toMatchObject([
      { number: 1, text: 'Page 1' },
      { number: 2, error: { code: 'damaged', message: 'The document has a page 2 that cannot be opened' } },
      { number: 3, text: 'Page 3' },
    ])
  })

  test('fails if no page can be read within the limits, which the pages name', async () => {
    await using hurried = await startTestServer({ config: { ocrPageSeconds: 0.01 } })
    const own = await hurried.createAccount({ tier: 'pro' })
    const { body } = await send(pdfOf(2), { to: hurried, key: own.key, headers: ASYNC })
    const document = await until(
      async () =>
        (await hurried.json<OcrDocumentPages>(`/v1/ocr/documents/${body.document_id}`, { key: own.key }))
          .body,
      ({ status }) => status === 'failed',
    )
    expect(document).toMatchObject({
      failure_reason: 'unreadable',
      counts: { total: 2, read: 0, unreadable: 2 },
    })
    expect(document.pages[1]).toEqual({
      number: 2,
      error: {
        code: 'time_limit',
        message: 'The document has a page 2 that takes more than 0.01 s of processor time to read',
      },
    })
  })

  test('is read from pixels as well as from a text layer', async () => {
    const jpeg = await sharp(await drawPage(['Please bring the letter']))
      .jpeg()
      .toBuffer()
    const scans = makePdf(Array.from({ length: 2 }, () => ({ jpeg, width: 1000, height: 160 })))
    const { body } = await send(scans, { to: server, key, headers: ASYNC })
    const { pages } = await ended(body.document_id)
    for (const page of pages)
      expect(page).toMatchObject({ text: 'Please bring the letter', page: { source: 'recognition' } })
  })

  test('gives the tables of its pages', async () => {
    const rows = [
      ['Year', 'Members', 'Visits'],
      ['2025', '850', '12,300'],
      ['2026', '920', '14,100'],
    ]
    const texts = rows.flatMap((cells, row) =>
      cells.map((text, cell) => ({ text, x: 60 + cell * 150, y: 80 + row * 20 })),
    )
    const { body } = await send(makePdf([{ texts }]), { to: server, key, headers: ASYNC })
    const [page] = (await ended(body.document_id)).pages
    const tables = page?.error === null ? page.page.tables : undefined
    expect(tables?.map((table) => table.rows.map((row) => row.map(({ text }) => text)))).toEqual([rows])
  })
})

describe('a document of any length', () => {
  let idle: TestServer
  beforeAll(async () => {
    // Nothing is read in the background here.
    idle = await startTestServer({ config: { ocrBackgroundPages: 0 } })
  })
  afterAll(() => idle[Symbol.asyncDispose]())

  test('gets a handle if its caller prefers one, and is otherwise read at once up to ten pages', async () => {
    const { key } = await idle.createAccount({ tier: 'pro' })
    const preferred = await send(pdfOf(1), {
      to: idle,
      key,
      headers: { prefer: 'return=minimal, Respond-Async' },
    })
    expect(preferred).toMatchObject({ status: 202, body: { status: 'queued', counts: { total: 1 } } })
    expect(preferred.headers.get('preference-applied')).toBe('respond-async')
    const short = await send<OcrResult>(pdfOf(LIMITS.ocrPagesAtOnce), { to: idle, key })
    expect(short.status).toBe(200)
    expect(short.body.pages).toHaveLength(LIMITS.ocrPagesAtOnce)
  })

  test('is refused at once with the limit that it exceeds, or if it is damaged', async () => {
    const { key } = await idle.createAccount({ tier: 'pro' })
    const sending = { to: idle, key, headers: ASYNC }
    expect(await send<Refusal>(pdfOf(51), sending)).toMatchObject({
      status: 422,
      body: { error: { code: 'media_unreadable', param: 'image', message: expect.stringContaining('50') } },
    })
    expect(await send(Buffer.from('%PDF-1.7 nothing else'), sending)).toMatchObject({ status: 422 })
    const rows = await idle.context.database.selectFrom('documents').select('account_id').execute()
    const blobs = await Array.fromAsync(idle.context.blobs.list('documents'))
    expect(blobs).toHaveLength(rows.length)
  })

  test('is stored once for an idempotency key', async () => {
    const { key, accountId } = await idle.createAccount({ tier: 'pro' })
    const headers = { ...ASYNC, 'idempotency-key': 'letter' }
    const first = await send(pdfOf(2), { to: idle, key, headers })
    const again = await send(pdfOf(2), { to: idle, key, headers })
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await send(pdfOf(3), { to: idle, key, headers })).toMatchObject({ status: 409 })
    const rows = await idle.context.database
      .selectFrom('documents')
      .where('account_id', '=', accountId)
      .select('document_id')
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('is not found by other accounts, in the other mode, or without the scope', async () => {
    const { key, accountId } = await idle.createAccount({ tier: 'pro' })
    const { document_id: id } = (await send(pdfOf(1), { to: idle, key, headers: ASYNC })).body
    const get = (asked: string, own: string) => idle.json<Refusal>(`/v1/ocr/documents/${asked}`, { key: own })
    expect(await get(id, key)).toMatchObject({ status: 200 })
    const other = await idle.createAccount()
    const live = await idle.createKey(accountId, true)
    for (const own of [other.key, live])
      expect(await get(id, own)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', param: 'document_id' } },
      })
    expect(await get('doc_1', key)).toMatchObject({ status: 404 })
    expect(await get(id, await idle.createKey(accountId, false, ['calls:read']))).toMatchObject({
      status: 403,
    })
  })

  test('is refused from an account with too many that are not read, and nothing is stored', async () => {
    const { key, accountId } = await idle.createAccount({
      tier: 'enterprise',
      rateOverrides: { unfinished_documents: { limit: 2 } },
    })
    const before = await Array.fromAsync(idle.context.blobs.list('documents'))
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send<Refusal>(pdfOf(11), { to: idle, key })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 429, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body.error).toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringContaining('unfinished documents'),
    })
    expect(refused?.headers.get('retry-after')).toBe('60')
    expect(await send(pdfOf(1), { to: idle, key, headers: ASYNC })).toMatchObject({ status: 429 })
    const rows = await idle.context.database
      .selectFrom('documents')
      .where('account_id', '=', accountId)
      .select('document_id')
      .execute()
    expect(rows).toHaveLength(2)
    const after = await Array.fromAsync(idle.context.blobs.list('documents'))
    expect(after).toHaveLength(before.length + 2)
  })

  test('is read after at most one page of any other account', async () => {
    await using own = await startTestServer({ config: { ocrBackgroundPages: 0 } })
    const [large, small] = [
      await own.createAccount({ tier: 'pro' }),
      await own.createAccount({ tier: 'pro' }),
    ]
    await send(pdfOf(20), { to: own, key: large.key })
    await send(pdfOf(20), { to: own, key: large.key })
    const { workerId } = await addLease(own.context.database, 'worker-of-a-test')
    const reading: ClaimedPage[] = []
    const claim = async () => {
      const [page] = await own.context.database
        .transaction()
        .execute((tx) =>
          claimPages(tx, { workerId, reading, room: 1, after: reading.at(-1)?.account_id ?? '' }),
        )
      if (page === undefined) throw new Error('Nothing waits')
      reading.push(page)
      return page
    }
    await claim()
    await claim()
    const { document_id: id } = (await send(pdfOf(2), { to: own, key: small.key, headers: ASYNC })).body
    const order = [await claim(), await claim(), await claim(), await claim()]
    expect(order.map(({ document_id }) => document_id === id)).toEqual(
      order[0]?.document_id === id ? [true, false, true, false] : [false, true, false, true],
    )
    const pages = reading.map(({ document_id, number }) => `${document_id} ${number}`)
    expect(new Set(pages).size).toBe(pages.length)
  })
})

test('a document that nobody reads before it expires fails with an event, and is erased', async () => {
  const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms }
  await using server = await startTestServer({ clock, config: { ocrBackgroundPages: 0 } })
  const { key } = await server.createAccount({ tier: 'pro' })
  const { body } = await send(pdfOf(PAGES), { to: server, key })
  clock.ms += 25 * HOUR_MS
  await server.context.sweep()
  expect(await server.json(`/v1/ocr/documents/${body.document_id}`, { key })).toMatchObject({ status: 404 })
  const events = await server.context.database.selectFrom('events').select('body').execute()
  expect(events.map((event) => documentEventSchema.parse(JSON.parse(event.body ?? '')))).toMatchObject([
    { data: { document_id: body.document_id, status: 'failed', failure_reason: 'expired' } },
  ])
  await expect(Array.fromAsync(server.context.blobs.list('documents'))).resolves.toEqual([])
})
