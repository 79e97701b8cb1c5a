/**
 * `pnpm bench NAME …` runs `bench/NAME.ts` of a workspace with the arguments that follow; without a name it lists the benchmarks.
 * `--write docs/measured/NAME.md` writes the output to a page, with the command, the date and the machine.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describeMachine } from './describe-machine.ts'
import { measuredPage } from './measured-page.ts'

const root = path.resolve(import.meta.dirname, '../..')
const benchmarks = new Map(
  globSync('{packages,apps}/*/bench/*.ts', { cwd: root })
    .map((file) => [path.basename(file, '.ts'), path.join(root, file)] as const)
    // A benchmark's first comment begins with its command; helper files lack it.
    .filter(([name, file]) => readFileSync(file, 'utf8').includes(`\`pnpm bench ${name}\``)),
)

const [name = '', ...words] = process.argv.slice(2)
const file = benchmarks.get(name)
if (file === undefined) {
  console.log(`benchmarks: ${[...benchmarks.keys()].toSorted().join(', ')}`)
  process.exitCode = name === '' ? 0 : 1
} else {
  const at = words.indexOf('--write')
  const page = at === -1 ? undefined : words.splice(at, 2)[1]
  if (at !== -1 && page === undefined) throw new Error('--write needs the path of the page')
  await run(file, words, page)
}

async function run(
  benchmark: string,
  parameters: readonly string[],
  page: string | undefined,
): Promise<void> {
  const machine = describeMachine()
  const child = spawn(process.execPath, ['--conditions=vaani-source', benchmark, ...parameters], {
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  const [code] = await once(child, 'close')
  process.exitCode = code === 0 ? 0 : 1
  if (page === undefined || code !== 0) return
  const source = await readFile(benchmark, 'utf8')
  const command = ['pnpm bench', name, ...parameters].join(' ')
  await writeFile(page, measuredPage({ source, command, page, machine, date: new Date(), output }))
}
