/**
 * `pnpm bench rehearsal`: a whole migration of 5,000 submissions through the gateway, with a regression in version 2 until the gate
 * rolls back by itself. Then it checks what callers got, what both deployments hold and what the worker counted, and prints pairs
 * a minute and processor. The deployments decide by a hash, so the worker is what is measured. The worker's Postgres is its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { MigrationReport, Stage } from '@vaani/contracts/migration'
import { createMigration } from '@vaani/client/migration'
import { Pool } from 'undici'
import { decide, SECRET } from './rehearsal/decide.ts'

const SUBMISSIONS = Number(process.argv[2] ?? 5000)
const CALLERS = 8
const MEDIA_BYTES = 60_000
/** Pairs under way, above which callers pause. */
const MOST_WAITING = 600
const ROLLBACK_WITHIN_MS = 180_000
const WRONG_SHARE = 0.03
const ADMIN_KEY = 'sk_live_rehearsal0123456789abcdef'
const MAIN = path.join(import.meta.dirname, '../src/main.ts')

const processes: ChildProcess[] = []
const folder = mkdtempSync(path.join(tmpdir(), 'vaani-rehearsal-'))
// As root, the user of Postgres has to pass; otherwise its data would go elsewhere, and stay.
chmodSync(folder, 0o755)
// However this ends: the worker ends its Postgres when it is gone.
process.once('exit', () => {
  for (const child of processes) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
const problems: string[] = []
const check = (isTrue: boolean, problem: string): void => void (isTrue || problems.push(problem))

function run(file: string, args: string[] = [], environment: object = {}): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=vaani-source', file, ...args], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  return child
}
async function startDeployment(): Promise<string> {
  const child = run(path.join(import.meta.dirname, 'rehearsal/deployment.ts'))
  const [port] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return `http://127.0.0.1:${String(port).trim()}`
}
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (
      await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
    await delay(100)
  }
  throw new Error(`${url} did not become ready`)
}
const ask = async (url: string): Promise<{ verifications: number; digest: string }> =>
  (await (await fetch(url)).json()) as { verifications: number; digest: string }

const primary = await startDeployment()
const candidate = await startDeployment()
const workerPort = await findPort()
const gatewayPort = await findPort()
const workerUrl = `http://127.0.0.1:${workerPort}`
const gatewayUrl = `http://127.0.0.1:${gatewayPort}`
const environment = {
  VAANI_DATA_DIR: folder,
  VAANI_SHADOW_PRIMARY_URL: primary,
  VAANI_SHADOW_CANDIDATE_URL: candidate,
  VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_rehearsal_of_the_shadow',
  VAANI_SHADOW_PRIMARY_API_KEY: 'sk_test_rehearsal_of_the_callers',
  VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: SECRET,
  VAANI_SHADOW_CALLBACK_BASE_URL: workerUrl,
  VAANI_SHADOW_API_KEY: ADMIN_KEY,
  VAANI_SHADOW_WORKER: 'none',
  VAANI_SHADOW_INITIAL_STAGE: 'shadow-100',
  VAANI_SHADOW_NOISE_SHARE: '0',
  VAANI_SHADOW_SENDS_PER_SECOND: '10000',
  VAANI_SHADOW_SEND_CONCURRENCY: '16',
  VAANI_SHADOW_ALLOWED: 'worst_mismatches=0.5%,unconfirmed_ids=0.5%,slow_answers=20%,slow_decisions=20%',
}
const worker = run(MAIN, ['worker'], { ...environment, PORT: workerPort })
await untilReady(workerUrl)
run(MAIN, ['gateway'], { ...environment, PORT: gatewayPort })
await untilReady(gatewayUrl)
const migration = createMigration({ apiKey: ADMIN_KEY, baseUrl: workerUrl })

const pool = new Pool(gatewayUrl, { connections: CALLERS })
const media = 'a'.repeat(MEDIA_BYTES)
const answered = new Map<string, string>()
async function submit(person: number): Promise<void> {
  const externalId = `person-${person}`
  const part = (name: string, content: string, more = ''): string =>
    `--b0undary\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
  const file = (name: string) => part(name, media, '; filename="a.bin"')
  const body = `${part('external_id', externalId)}${['front_image', 'back_image', 'liveness_video'].map(file).join('')}--b0undary--\r\n`
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path: '/identity/kyc/v1',
    headers: { 'content-type': 'multipart/form-data; boundary=b0undary', 'idempotency-key': externalId },
    body,
  })
  const { verification_id: id } = (await answer.json()) as { verification_id: string }
  check(statusCode === 200 && id.startsWith('v1_'), `${externalId} was answered ${statusCode} ${id}`)
  answered.set(externalId, id)
}

/** Processor time of a process and all below it, in seconds. */
function readCpu(root: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
        return [
          { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) },
        ]
      } catch {
        return []
      }
    })
  const below = new Set([root])
  for (let size = 0; size !== below.size;) {
    size = below.size
    for (const { pid, parent } of stats) if (below.has(parent)) below.add(pid)
  }
  return stats.filter(({ pid }) => below.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / 100
}

console.log(`| step | after | stage | pairs | |\n| --- | --- | --- | --- | --- |`)
const startMs = performance.now()
let rolledBackAt = 0
async function tell(step: string, note = ''): Promise<void> {
  const { stage, pairs } = await migration.retrieve()
  const seconds = Math.round((performance.now() - startMs) / 1000)
  console.log(`| ${step} | ${seconds} s | ${stage} | ${pairs.ended} | ${note} |`)
}

await fetch(`${candidate}/rehearsal/wrong/${WRONG_SHARE}`)
await tell('version 2 decides three of a hundred wrongly')
const cpuBefore = readCpu(worker.pid ?? 0)
let next = 0
let isPaused = false
const callers = Array.from({ length: CALLERS }, async () => {
  while (next < SUBMISSIONS) {
    // The shadow is slower than callers who do not wait; the spool takes what it can hold.
    const { pairs } = isPaused ? { pairs: null } : { pairs: next }
    if (pairs === null) await delay(50)
    else await submit(next++)
  }
})
const paceKeeper = setInterval(async () => {
  const { pairs, spool } = await migration.retrieve()
  isPaused = pairs.waiting + spool.submissions > MOST_WAITING
}, 100)
const stageOf = async (): Promise<Stage> => (await migration.retrieve()).stage
while ((await stageOf()) !== 'shadow-1') {
  if (performance.now() - startMs > ROLLBACK_WITHIN_MS) throw new Error('The gate never rolled back')
  await delay(250)
}
rolledBackAt = next
await tell('the gate rolled back by itself', `after ${rolledBackAt} submissions`)
await fetch(`${candidate}/rehearsal/wrong/0`)
await migration.restartEvidence({ reason: 'Version 2 is repaired', actor: 'rehearsal' })
await migration.changeStage({ stage: 'shadow-100', reason: 'Gather evidence again', actor: 'rehearsal' })
await tell('version 2 is repaired')
await Promise.all(callers)
clearInterval(paceKeeper)
for (;;) {
  const { pairs, spool } = await migration.retrieve()
  if (pairs.waiting === 0 && spool.submissions === 0) break
  await delay(250)
}
const seconds = (performance.now() - startMs) / 1000
const cpuSeconds = readCpu(worker.pid ?? 0) - cpuBefore
await tell('all pairs are over')
const before = await migration.retrieve()
if (before.verdict.advice === 'promote') {
  await migration.changeStage({ stage: 'live', reason: before.verdict.because, actor: 'rehearsal' })
  await tell('promoted', before.verdict.because)
} else problems.push(`not promoted: ${before.verdict.because}`)

const report: MigrationReport = await migration.report()
const { verifications, digest } = await ask(`${primary}/rehearsal/state`)
check(
  verifications === SUBMISSIONS && answered.size === SUBMISSIONS,
  `${verifications} at the primary, ${answered.size} answered`,
)
check(digest.length === 64, 'the primary does not tell what it holds')
const outcomes = new Map(report.outcomes.map(({ outcome, pairs }) => [outcome, pairs]))
check((outcomes.get('mismatched') ?? 0) === 0, 'mismatches of a repaired version 2')
const all: { outcome: string; v1: { verification_id: string | null }; severity: string | null }[] = []
for await (const pair of migration.listPairs({ limit: 100 })) all.push(pair)
const ids = new Set(all.map(({ v1 }) => v1.verification_id))
check(ids.size === all.length, 'a submission has two pairs')
const people = new Map([...answered].map(([externalId, id]) => [id, externalId]))
for (const { v1, severity } of all)
  if (
    severity !== null &&
    decide(people.get(v1.verification_id ?? '') ?? '', WRONG_SHARE) ===
      decide(people.get(v1.verification_id ?? '') ?? '', 0)
  )
    problems.push(`a mismatch of a person who was decided alike: ${v1.verification_id}`)

console.log(`
| | |
| --- | --- |
| submissions | ${SUBMISSIONS} |
| pairs | ${all.length} |
| mismatches, all of them planted | ${all.filter(({ severity }) => severity !== null).length} |
| submissions until the rollback | ${rolledBackAt} |
| pairs a minute | ${Math.round((all.length / seconds) * 60)} |
| processor of the worker and its Postgres a pair | ${((cpuSeconds / all.length) * 1000).toFixed(1)} ms |
| pairs a minute and core | ${Math.round(all.length / (cpuSeconds / 60))} |
`)
for (const problem of problems.slice(0, 10)) console.log(`PROBLEM ${problem}`)
for (const child of processes.toReversed()) child.kill('SIGTERM')
await Promise.all(processes.map((child) => (child.exitCode === null ? once(child, 'exit') : null)))
await pool.destroy()
process.exitCode = problems.length === 0 ? 0 : 1
