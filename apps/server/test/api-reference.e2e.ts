import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { CHROMIUM, HEADLESS } from '@vaani/browser'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

test('the root page redirects to the reference, which needs no key', async () => {
  const page = await fetch(server.url)
  expect(page.url).toBe(`${server.url}/docs`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'")
  const again = await fetch(page.url, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

test('Chromium shows the reference without external resources', { tags: 'chromium' }, async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'vaani-reference-'))
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
  const { stdout, stderr } = await promisify(execFile)(CHROMIUM ?? '', [
    ...HEADLESS,
    `--user-data-dir=${profile}`,
    '--enable-logging=stderr',
    '--virtual-time-budget=20000',
    '--dump-dom',
    `${server.url}/docs`,
  ])
  // The page takes the title from the OpenAPI document once it is loaded.
  expect(stdout).toContain('<title>Vaani API reference</title>')
  expect(stderr).not.toContain('CONSOLE')
})
