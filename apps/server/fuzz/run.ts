/**
 * `pnpm fuzz [REQUESTS] [--seed N]`: starts a server, spreads that many requests over all its routes, and judges each response.
 * The same seed sends the same requests. Exits with 1 if a response violates the contract.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const count = Number(positionals[0] ?? 300_000)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!(count > 0) || !Number.isInteger(seed)) throw new TypeError('usage: pnpm fuzz [REQUESTS] [--seed N]')
console.log(`fuzz: ${count} requests, seed ${seed}`)

const { status } = spawnSync('vitest', ['run', '--project', 'e2e', 'apps/server/test/fuzz.e2e.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_COUNT: String(count), FUZZ_SEED: String(seed) },
})
process.exitCode = status ?? 1
