/**
 * `pnpm chaos:shadow [MINUTES] [--seed N]`: kills, freezes and restarts the gateway, the workers, their Postgres and the candidate, and
 * fills their disk, while callers submit through the gateway. Then compares what callers got with what both deployments hold and
 * with what the workers counted: nothing may be lost, counted twice or answered differently. Exits with 1 on any violation.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seededRandom } from '@vaani/test-harness'
import { createViolations, drawFault, mountDisk } from '@vaani/test-services/chaos'
import { checkPromises } from './check.ts'
import { startCluster, untilReady } from './cluster.ts'
import { FAULTS } from './faults.ts'
import { runLoad } from './load.ts'

const MINUTE_MS = 60_000
/** Pause between two faults. */
const CALM_MS = { least: 500, most: 6000 }

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const minutes = Number(positionals[0] ?? 2)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new TypeError('usage: pnpm chaos:shadow [MINUTES] [--seed N]')
console.log(`chaos: ${minutes} minutes, seed ${seed}`)

const root = await mkdtemp(path.join(tmpdir(), 'vaani-shadow-chaos-'))
// As root, the user of Postgres has to pass; otherwise its data would go elsewhere, and stay.
await chmod(root, 0o755)
await using held = new AsyncDisposableStack()
held.defer(() => rm(root, { recursive: true, force: true }))
const disk = held.use(await mountDisk())
if (disk.fill === null) console.log('chaos: no file system can be mounted here, so the disk is never filled')
const cluster = held.use(await startCluster(root, disk))
const violations = createViolations()

// Faults and load use separate random streams, so that a seed gives the same order of faults whatever happens to the load.
const storm = { cluster, disk, random: seededRandom(seed) }
const over = new AbortController()
const load = runLoad({ cluster, violations, random: seededRandom(seed + 1), over: over.signal })
const endMs = performance.now() + minutes * MINUTE_MS
while (performance.now() < endMs) {
  await delay(CALM_MS.least + storm.random() * (CALM_MS.most - CALM_MS.least))
  const [name, fault] = drawFault(FAULTS, storm)
  violations.strikes(name)
  await fault.strike(storm)
}
over.abort()
const submissions = await load
const nodes = [cluster.primary, cluster.candidate, cluster.gateway, ...cluster.workers]
for (const node of nodes) await untilReady(node)
await checkPromises(cluster, submissions, violations)
violations.print(Object.fromEntries(nodes.map((node) => [`starts of ${node.name}`, node.starts()])), seed)
