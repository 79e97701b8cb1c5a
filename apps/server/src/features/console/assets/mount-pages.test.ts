import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPages } from './mount-pages.ts'

let home: string
beforeEach(async () => void (home = await mkdtemp(path.join(tmpdir(), 'vaani-pages-'))))
afterEach(() => rm(home, { recursive: true, force: true }))

/** Builds pages, the first time as if another process had just taken them away again. */
const BUILD = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
const at = (name) => new URL(name, import.meta.url)
if (existsSync(at('tried'))) {
  mkdirSync(at('dist/assets'), { recursive: true })
  writeFileSync(at('dist/index.html'), 'built')
}
writeFileSync(at('tried'), '')
`

test('pages are served although another process replaced them while they were read', async () => {
  const buildScript = path.join(home, 'build.mjs')
  await writeFile(buildScript, BUILD)
  const { signal } = new AbortController()
  const log = createLogger('silent')
  const pages = createPages({ log, stopping: signal }, { folder: path.join(home, 'dist'), buildScript })
  expect(pages.current()).toBeUndefined()
  expect(String((await pages.opened())?.index)).toBe('built')
  expect(String(pages.current()?.index)).toBe('built')
})
