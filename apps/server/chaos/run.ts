/**
 * `pnpm chaos [MINUTES] [--seed N] [--upgrade-from DIR]`: kills, freezes and restarts servers, Postgres and Redis, and fills the disk, while
 * clients place calls, stream speech, submit documents and receive webhooks. Then compares every response with the final state:
 * nothing may be lost, duplicated, stuck, or visible to another tenant. Exits with 1 on any violation. With `--upgrade-from`, the
 * servers begin with the version in that folder, an installed clone, and are upgraded one after another instead.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seededRandom, startReceiver } from '@vaani/test-harness'
import { drawFault, mountDisk } from '@vaani/test-services/chaos'
import pg from 'pg'
import { checkPromises, untilQuiet } from './check.ts'
import { startCluster, untilReady } from './cluster.ts'
import { FAULTS } from './faults.ts'
import { createLedger } from './ledger.ts'
import { openLine } from './line.ts'
import { runLoad } from './load.ts'
import { createTenants } from './tenants.ts'

const MINUTE_MS = 60_000
const QUIET_WITHIN_MS = 5 * MINUTE_MS
/** Pause between two faults. */
const CALM_MS = { least: 500, most: 6000 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, 'upgrade-from': { type: 'string' } },
})
const earlier = values['upgrade-from']
const minutes = Number(positionals[0] ?? 2)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new TypeError('usage: pnpm chaos [MINUTES] [--seed N] [--upgrade-from DIR]')
console.log(`chaos: ${minutes} minutes, seed ${seed}`)

await using disk = await mountDisk()
if (disk.fill === null) console.log('chaos: no file system can be mounted here, so the disk is never filled')
await using receiver = await startReceiver()
await using line = await openLine()
await using cluster = await startCluster(disk, { earlier, carriersFile: line.carriersFile })
if (cluster.redis === null)
  console.log('chaos: no redis-server on the PATH, so each server counts limits by itself')
const apiUrls = cluster.members.flatMap(({ url }) => url ?? [])
const tenants = await createTenants(apiUrls[0] ?? '', receiver)
const ledger = createLedger()

// Faults and load use separate random streams, so that a seed gives the same order of faults whatever happens to the load.
const strikes = seededRandom(seed)
const chances = seededRandom(seed + 1)
receiver.answer(() => (chances() < 0.1 ? 500 : chances() < 0.05 ? { delayMs: 2000 } : 204))

const over = new AbortController()
const load = runLoad({ cluster, line, tenants, ledger, random: chances, over: over.signal })
const storm = { cluster, disk, random: strikes }
await (earlier === undefined ? strikeUntilOver() : upgradeInTurn())
over.abort()
await load
receiver.answer(() => 204)
await Promise.all(apiUrls.map((url) => untilReady(url)))

const pool = new pg.Pool({ connectionString: cluster.postgres.url, max: 2 })
pool.on('error', () => undefined)
await untilQuiet(pool, ledger, QUIET_WITHIN_MS)
await checkPromises(pool, { cluster, disk, receiver, tenants, ledger })
line.check(ledger)
await pool.end()

const answered = ledger.entries.filter(({ id }) => id !== null)
ledger.print(
  {
    'calls acknowledged': answered.filter(({ kind }) => kind === 'call').length,
    'verifications acknowledged': answered.filter(({ kind }) => kind === 'verification').length,
    'left open by the storm': ledger.entries.length - answered.length,
    ...Object.fromEntries(cluster.members.map((member) => [`starts of ${member.name}`, member.starts()])),
  },
  seed,
)

async function strikeUntilOver(): Promise<void> {
  const endMs = performance.now() + minutes * MINUTE_MS
  while (performance.now() < endMs) {
    await delay(CALM_MS.least + strikes() * (CALM_MS.most - CALM_MS.least))
    const [name, fault] = drawFault(FAULTS, storm)
    ledger.strikes(name)
    await fault.strike(storm)
  }
}

/** Upgrades one process after another at equal distances: workers first, as operators are told to. */
async function upgradeInTurn(): Promise<void> {
  const members = cluster.members.toSorted((a, b) => Number(a.url !== null) - Number(b.url !== null))
  const pauseMs = (minutes * MINUTE_MS) / (members.length + 1)
  for (const member of members) {
    await delay(pauseMs)
    ledger.strikes(`an upgrade of ${member.name}`)
    member.upgrade()
  }
  await delay(pauseMs)
}
