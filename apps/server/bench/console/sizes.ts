import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipLength } from '@vaani/browser'
import { printTable } from '../speech/statistics.ts'

const DIST = path.resolve(import.meta.dirname, '../../../console/dist')
const FIRST_LOAD_KB = 200
const CHUNK_KB = 60
/** How many of the largest chunks are named. */
const NAMED = 6

/** What Vite writes about a file: https://vite.dev/guide/backend-integration */
interface Chunk {
  file: string
  isEntry?: true
  isDynamicEntry?: true
  imports?: readonly string[]
  css?: readonly string[]
}

/** Prints how much a browser loads, compressed: before any page, and for each page. The server compresses better, by Brotli. */
export async function printSizes(): Promise<void> {
  const manifest = new Map<string, Chunk>(
    Object.entries(JSON.parse(await readFile(path.join(DIST, 'manifest.json'), 'utf8'))),
  )
  const entry = [...manifest].find(([, { isEntry }]) => isEntry)
  if (entry === undefined) throw new Error('The console has no entry')
  const first = filesOf(entry[0], manifest)
  const chunks = await Promise.all(
    [...manifest]
      .filter(([, { isDynamicEntry }]) => isDynamicEntry)
      .map(async ([name]) => {
        const files = [...filesOf(name, manifest)].filter((file) => !first.has(file))
        return { name: nameOf(name), kb: await kbOf(files) }
      }),
  )
  const largest = chunks.toSorted((one, other) => other.kb - one.kb)
  const firstKb = await kbOf(['index.html', ...first])
  const home = chunks.find(({ name }) => name === 'home-page')?.kb ?? 0
  console.log(
    `\n## What is loaded\n\nIn kB (1000 bytes) of gzip, of ${chunks.length} parts that are loaded on demand.\n`,
  )
  printTable(
    ['', 'kB', 'bound'],
    [
      ['before any page, English', firstKb.toFixed(1), FIRST_LOAD_KB],
      ['and the first page, Home', (firstKb + home).toFixed(1), FIRST_LOAD_KB],
      ...largest.slice(0, NAMED).map(({ name, kb }) => [name, kb.toFixed(1), CHUNK_KB]),
      [`each of the other ${largest.length - NAMED}, at most`, largest[NAMED]?.kb.toFixed(1) ?? 0, CHUNK_KB],
    ],
  )
}

/** Returns the files that a module needs at once. */
function filesOf(name: string, manifest: ReadonlyMap<string, Chunk>, found = new Set<string>()): Set<string> {
  const chunk = manifest.get(name)
  if (chunk === undefined || found.has(chunk.file)) return found
  for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file)
  for (const imported of chunk.imports ?? []) filesOf(imported, manifest, found)
  return found
}

async function kbOf(files: readonly string[]): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(path.join(DIST, file), 'utf8')))
  return texts.reduce((sum, text) => sum + gzipLength(text), 0) / 1000
}

/** Names a page by its file, and what a package brings by the package. */
const nameOf = (module: string): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? path.basename(module, path.extname(module))
