/** `pnpm bench NAME …` runs tooling/bench/NAME.ts with the arguments that follow; without a name it lists them. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'

const files = await readdir(import.meta.dirname)
const names = files
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => path.basename(file, '.ts'))
  .filter((name) => name !== 'run')
const [name] = process.argv.splice(2, 1)

if (name !== undefined && names.includes(name)) {
  await import(`./${name}.ts`)
} else {
  console.log(`benchmarks: ${names.toSorted().join(', ') || 'none yet'}`)
  process.exitCode = name === undefined ? 0 : 1
}
