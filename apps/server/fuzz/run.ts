/**
 * `pnpm fuzz [REQUESTS] [--seed N]`: starts a server, spreads that many requests over all its routes, and judges each response.
 * The same seed sends the same requests. Then one account attacks another server, and a neighbour should not notice. With 0
 * requests, only the attacks follow. Exits with 1 if a response violates the contract, or a neighbour waits for longer than bounds.md says.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const count = Number(positionals[0] ?? 300_000)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!(count >= 0) || !Number.isInteger(seed)) throw new TypeError('usage: pnpm fuzz [REQUESTS] [--seed N]')

/** @returns whether the program found nothing */
function isClean(program: string, args: readonly string[]): boolean {
  const env = { ...process.env, FUZZ_COUNT: String(count), FUZZ_SEED: String(seed) }
  return spawnSync(program, args, { stdio: 'inherit', env }).status === 0
}

if (count > 0) console.log(`fuzz: ${count} requests, seed ${seed}`)
const areAnswersClean =
  count === 0 || isClean('vitest', ['run', '--project', 'e2e', 'apps/server/test/fuzz.e2e.ts'])
const neighbours = path.resolve(import.meta.dirname, 'neighbours/run.ts')
const areNeighboursServed = isClean(process.execPath, ['--conditions=vaani-source', neighbours])
process.exitCode = areAnswersClean && areNeighboursServed ? 0 : 1
