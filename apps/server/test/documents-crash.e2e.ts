import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { OcrDocument, OcrDocumentPages } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import pg from 'pg'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createApiKey } from '../src/tenancy/api-key.ts'
import { drawPage, makePdf } from './support/documents.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'

const KEY = createApiKey(false)
const PAGES = 12
/** Pages with a text layer that are read before the worker is killed. The next one is a scan, which takes much longer. */
const BEFORE = 3

test('a document survives kill -9 of its worker, and no page that was read is read again', async () => {
  await using held = new AsyncDisposableStack()
  const database = await createTestDatabase()
  held.defer(() => database.drop())
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-documents-crash-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const start = async (roles: string): Promise<ServerProcess> => {
    const server = await startServerProcess({
      DATABASE_URL: database.url,
      VAANI_DATA_DIR: folder,
      VAANI_BOOTSTRAP_API_KEY: KEY,
      VAANI_ROLES: roles,
    })
    held.defer(async () => void (await server.kill('SIGKILL')))
    return server
  }
  const api = await start('api')
  const worker = await start('worker')
  const authorization = `Bearer ${KEY}`
  const jpeg = await sharp(await drawPage(['Please bring the letter']))
    .jpeg()
    .toBuffer()
  const pages = Array.from({ length: PAGES }, (_, index) =>
    index === BEFORE ? { jpeg, width: 1000, height: 160 } : { text: `Page ${index + 1}` },
  )
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(makePdf(pages))]))
  const sent = await fetch(`${api.url}/v1/ocr/process`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  })
  expect(sent.status).toBe(202)
  const { document_id }: OcrDocument = JSON.parse(await sent.text())
  const read = async (): Promise<OcrDocumentPages> => {
    const response = await fetch(`${api.url}/v1/ocr/documents/${document_id}`, { headers: { authorization } })
    return JSON.parse(await response.text())
  }
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  held.defer(() => pool.end())
  const rows = async () => {
    const { rows } = await pool.query<{ number: number; attempts: number; result: Buffer | null }>(
      'select number, attempts, result from document_pages where document_id = $1 order by number',
      [document_id],
    )
    return rows
  }

  await until(read, ({ counts }) => counts.read >= BEFORE)
  await worker.kill('SIGKILL')
  const before = (await rows()).filter(({ result }) => result !== null)
  expect(before.length).toBeGreaterThanOrEqual(BEFORE)
  await start('worker')
  const document = await until(read, ({ status }) => status === 'completed')
  expect(document.counts).toEqual({ total: PAGES, read: PAGES, unreadable: 0 })
  expect(document.pages.map(({ number }) => number)).toEqual(
    Array.from({ length: PAGES }, (_, index) => index + 1),
  )
  const after = await rows()
  expect(after.filter(({ number }) => before.some((page) => page.number === number))).toEqual(before)
  const events = await pool.query('select from events where object_id = $1', [document_id])
  expect(events.rowCount).toBe(1)
})
