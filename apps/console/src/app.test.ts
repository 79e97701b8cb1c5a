import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const FIRST_LOAD_BYTES = 150_000
const PAGE_BYTES = 60_000

interface Chunk {
  file: string
  css?: string[]
  /** Files that styles and scripts name, such as fonts. Browsers load them once something on the page needs them. */
  assets?: string[]
  imports?: string[]
  isEntry?: boolean
  isDynamicEntry?: boolean
}
type Chunks = Readonly<Record<string, Chunk>>

const here = path.resolve(import.meta.dirname, '..')

async function build(): Promise<Chunks> {
  await promisify(execFile)(process.execPath, ['--conditions=vaani-source', 'scripts/build.ts'], {
    cwd: here,
    // As a server may have been started.
    env: { ...process.env, NODE_ENV: 'development' },
  })
  return JSON.parse(await readFile(path.join(here, 'dist/manifest.json'), 'utf8'))
}

/** Returns the files that a chunk needs before it runs. */
function filesOf(chunks: Chunks, name: string): ReadonlySet<string> {
  const { file, css = [], imports = [] } = chunks[name] ?? { file: '' }
  return new Set([file, ...css, ...imports.flatMap((one) => [...filesOf(chunks, one)])])
}

async function compressedBytes(files: ReadonlySet<string>): Promise<number> {
  const sizes = [...files].map(async (file) => gzipSync(await readFile(path.join(here, 'dist', file))).length)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test('loads little at first, and little for each page', async () => {
  const chunks = await build()
  const names = Object.keys(chunks)
  const [entry = ''] = names.filter((name) => chunks[name]?.isEntry)
  const first = filesOf(chunks, entry)
  expect(await compressedBytes(first)).toBeLessThan(FIRST_LOAD_BYTES)

  const pages = names.filter((name) => chunks[name]?.isDynamicEntry)
  expect(pages.length).toBeGreaterThan(5)
  for (const name of pages) {
    const more = [...filesOf(chunks, name)].filter((file) => !first.has(file))
    expect(await compressedBytes(new Set(more)), name).toBeLessThan(PAGE_BYTES)
  }

  // The first load waits for the language that was chosen.
  const language = chunks['src/text/nepali.ts']
  expect(language?.isDynamicEntry).toBe(true)
  expect(language?.imports ?? []).toEqual([])

  const code = [...first].map((file) => readFile(path.join(here, 'dist', file), 'utf8'))
  expect((await Promise.all(code)).join('')).not.toContain('react-dom.development')
})

test('has its own font for Devanagari, apart from the first load, and the licence of it', async () => {
  const chunks = await build()
  const entry = Object.values(chunks).find(({ isEntry }) => isEntry)
  const fonts = (entry?.assets ?? []).filter((file) => file.endsWith('.woff2'))
  expect(fonts).toEqual([expect.stringContaining('devanagari')])
  const index = await readFile(path.join(here, 'dist/index.html'), 'utf8')
  expect(index).not.toContain('woff2')
  const licences = await readFile(path.join(here, 'dist/THIRD-PARTY-LICENSES.md'), 'utf8')
  expect(licences).toMatch(/^## @fontsource-variable\/noto-sans-devanagari \S+ \(OFL-1\.1\)$/m)
})
