/**
 * `pnpm bench NAME …` runs the benchmark NAME.ts with the arguments that follow; without a name it lists them. One that
 * measures a single workspace from inside lives in its bench folder, one that compares several lives here.
 */
import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('{tooling,{packages,apps}/*}/bench/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && path.join(root, file) !== import.meta.filename,
)
const benchmarks = new Map(files.map((file) => [path.basename(file, '.ts'), path.join(root, file)]))

const [name = ''] = process.argv.splice(2, 1)
const file = benchmarks.get(name)
if (file === undefined) {
  console.log(`benchmarks: ${[...benchmarks.keys()].toSorted().join(', ') || 'none yet'}`)
  process.exitCode = name === '' ? 0 : 1
} else {
  await import(pathToFileURL(file).href)
}
