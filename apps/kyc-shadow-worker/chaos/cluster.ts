import { once } from 'node:events'
import { createServer } from 'node:net'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CONDITION_NAMES } from '@vaani/contracts/migration'
import { choosePlace } from '@vaani/service-kit/database/embedded/choose-place'
import { connectionOn } from '@vaani/service-kit/database/embedded/presence'
import { type Disk, keepRunning, type KeptProcess } from '@vaani/test-services/chaos'
import pg from 'pg'

export const CALLER_KEY = 'sk_test_chaoscaller0123456789abcdef'
const SHADOW_KEY = 'sk_test_chaosshadow0123456789abcdef'
const ADMIN_KEY = 'sk_live_chaosadmin0123456789abcdefg'
export const SERVER = path.resolve(import.meta.dirname, '../../server/src/main.ts')
const WORKER = path.resolve(import.meta.dirname, '../src/main.ts')
const READY_WITHIN_MS = 90_000
const NO_LIMIT = { limit: 100_000, period_seconds: 1 }

export interface Member extends KeptProcess {
  url: string
}

type Deployment = 'primary' | 'candidate'

/** Two deployments, a gateway between the callers and the first, and two workers beside it. */
export interface Cluster extends Record<Deployment | 'gateway', Member>, AsyncDisposable {
  workers: readonly Member[]
  /** Folders, each with an embedded Postgres. */
  folders: Readonly<Record<Deployment | 'worker', string>>
}

export async function startCluster(root: string, disk: Disk): Promise<Cluster> {
  await using held = new AsyncDisposableStack()
  const folders = {
    primary: path.join(root, 'primary'),
    candidate: path.join(root, 'candidate'),
    worker: disk.directory,
  }
  async function start(name: string, program: string, args: string[], environment: object): Promise<Member> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const all = {
      PATH: process.env['PATH'],
      PORT: String(port),
      VAANI_SHADOW_CALLBACK_BASE_URL: url,
      ...environment,
    }
    const kept = held.use(keepRunning(name, { program: () => program, args, environment: all }))
    const node = { ...kept, url }
    await untilReady(node)
    return node
  }
  const startServer = (name: Deployment, key: string) =>
    start(name, SERVER, [], {
      VAANI_DATA_DIR: folders[name],
      VAANI_BOOTSTRAP_API_KEY: key,
      VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
      VAANI_SHUTDOWN_GRACE_SECONDS: '5',
    })
  const primary = await startServer('primary', CALLER_KEY)
  const candidate = await startServer('candidate', SHADOW_KEY)
  await liftLimits(primary.url, CALLER_KEY)
  await liftLimits(candidate.url, SHADOW_KEY)
  const rotated = await ask(candidate.url, SHADOW_KEY, 'POST', '/webhooks/rotate-secret', {
    overlap_hours: 0,
  })
  const shadow = {
    VAANI_DATA_DIR: folders.worker,
    VAANI_SHADOW_PRIMARY_URL: primary.url,
    VAANI_SHADOW_CANDIDATE_URL: candidate.url,
    VAANI_SHADOW_CANDIDATE_API_KEY: SHADOW_KEY,
    VAANI_SHADOW_PRIMARY_API_KEY: CALLER_KEY,
    VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: String(rotated['secret']),
    VAANI_SHADOW_INITIAL_STAGE: 'shadow-100',
    // Otherwise the candidate's failures roll back, and nothing more is copied.
    VAANI_SHADOW_ALLOWED: CONDITION_NAMES.map((name) => `${name}=99%`).join(','),
    VAANI_SHADOW_API_KEY: ADMIN_KEY,
    VAANI_SHADOW_WORKER: 'none',
    VAANI_SHUTDOWN_GRACE_SECONDS: '5',
  }
  const gateway = await start('gateway', WORKER, ['gateway'], shadow)
  const workers = [
    await start('worker-1', WORKER, ['worker'], shadow),
    await start('worker-2', WORKER, ['worker'], shadow),
  ]
  const resources = held.move()
  return {
    primary,
    candidate,
    gateway,
    workers,
    folders,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('The server has no port number')
  return address.port
}

export async function untilReady({ url, name, output }: Member): Promise<void> {
  const endMs = performance.now() + READY_WITHIN_MS
  while (performance.now() < endMs) {
    if (
      await fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
    await delay(100)
  }
  throw new Error(`${name} did not become ready: ${output().slice(-2000)}`)
}

async function ask(
  url: string,
  key: string,
  method: string,
  route: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(url + route, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${route} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** The storm sends and reads more than an account may. */
async function liftLimits(url: string, key: string): Promise<void> {
  const { data } = await ask(url, key, 'GET', '/admin/accounts')
  const [account] = data as { account_id: string }[]
  await ask(url, key, 'PATCH', `/admin/accounts/${account?.account_id}`, {
    rate_overrides: {
      kyc_submissions: NO_LIMIT,
      status_polls: NO_LIMIT,
      pending_verifications: { limit: 100_000 },
    },
  })
}

/** Opens the embedded database of a folder, on which a service of ours runs. */
export async function openEmbedded(folder: string): Promise<pg.Pool> {
  const { socket } = await choosePlace(path.join(folder, 'postgres'), undefined)
  const pool = new pg.Pool({ ...connectionOn(socket), max: 2 })
  pool.on('error', () => undefined)
  return pool
}

/** Ends the embedded Postgres of a folder as a crash does. Those who use it start it again. */
export async function crashEmbedded(folder: string): Promise<void> {
  const { data } = await choosePlace(path.join(folder, 'postgres'), undefined)
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text !== null) process.kill(Number(text.split('\n', 1)[0]), 'SIGQUIT')
}
