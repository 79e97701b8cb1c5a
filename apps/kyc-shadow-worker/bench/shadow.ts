/**
 * `pnpm bench shadow`: what a caller and an operator pay for the gateway, beside the shortest proxy that undici makes and beside
 * nginx (Debian's, with one worker). By turns in one run, so that a machine whose speed drifts treats all alike.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stage } from '@vaani/contracts/migration'
import { Pool } from 'undici'
import { makeSubmission, type Submission } from './shadow/submission.ts'

const AT_ONCE = 8
const SIZES = [
  { title: '10 kB', bytes: 10_000, requests: 2000, rounds: 9 },
  { title: '2 MB', bytes: 2_000_000, requests: 160, rounds: 7 },
  { title: '50 MB', bytes: 50_000_000, requests: 16, rounds: 5 },
]
/** What `pnpm build` makes. */
const MAIN = path.join(import.meta.dirname, '../dist/main.js')
const PLAIN = 'plain undici'
const GATEWAYS = ['off', 'shadow-10', 'shadow-100'] as const satisfies readonly Stage[]

interface Way {
  name: string
  /** Where it counts what it did not copy. Null for all but gateways. */
  metricsUrl: string | null
  /** The process that is measured. Null for none in between. */
  pid: number | null
  pool: Pool
}
interface Sample {
  perSecond: number
  cpuMicros: number
  p50: number
  p99: number
  /** Peak of resident memory. */
  peakMb: number
}

const processes: ChildProcess[] = []

async function start(file: string, ...args: string[]): Promise<{ pid: number; port: number }> {
  const child = spawn(
    process.execPath,
    ['--conditions=vaani-source', path.join(import.meta.dirname, 'shadow', file), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  processes.push(child)
  const [port] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return { pid: child.pid ?? 0, port: Number(String(port)) }
}

interface Proxy {
  pid: number
  port: number
  metricsUrl?: string
}

/** Starts the gateway as operators do, without a worker. */
async function startGateway(primary: string, directory: string, stage: Stage): Promise<Proxy> {
  const [port, metricsPort] = [await findPort(), await findPort()]
  const child = spawn(process.execPath, [MAIN, 'gateway'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      LOG_LEVEL: 'silent',
      VAANI_METRICS_PORT: String(metricsPort),
      VAANI_DATA_DIR: directory,
      VAANI_SHADOW_PRIMARY_URL: primary,
      VAANI_SHADOW_CANDIDATE_URL: primary,
      VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_1',
      VAANI_SHADOW_INITIAL_STAGE: stage,
      VAANI_SHADOW_WORKER: 'none',
    },
  })
  processes.push(child)
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await delay(50)
  return { pid: child.pid ?? 0, port, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` }
}

/** Counts submissions that were sampled and not copied, with the reasons. */
async function readDrops(metricsUrl: string | null): Promise<string> {
  if (metricsUrl === null) return ''
  const text = await (await fetch(metricsUrl)).text()
  const counts = [...text.matchAll(/^vaani_shadow_dropped_total\{reason="(\w+)"\} ([1-9]\d*)/gm)]
  return counts.length === 0 ? '0' : counts.map(([, reason, count]) => `${count} ${reason}`).join(', ')
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Null where nginx is not installed. */
async function startNginx(primary: string, folder: string): Promise<Proxy | null> {
  const port = await findPort()
  const file = path.join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
http { access_log off; ${paths.join(' ')} client_max_body_size 0; keepalive_requests 1000000;
  upstream primary { server ${primary}; keepalive 64; keepalive_timeout 3s; }
  server { listen 127.0.0.1:${port}; location / {
    proxy_pass http://primary; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off; } } }`,
  )
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  processes.push(child)
  const hasStarted = await Promise.race([
    once(child, 'spawn').then(() => true),
    once(child, 'error').then(() => false),
  ])
  return hasStarted ? { pid: child.pid ?? 0, port } : null
}

const MICROS_PER_NANO = 1e-3

/** Of all threads: collecting garbage, encryption and files have their own. */
function readCpuMicros(pid: number | null): number {
  if (pid === null) return 0
  const nanos = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  )
  return nanos.reduce((sum, one) => sum + one, 0) * MICROS_PER_NANO
}

/** Returns the peak of resident memory since it was last asked for. */
function readPeakMb(pid: number | null): number {
  if (pid === null) return Number.NaN
  const [, kilobytes = ''] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return Number(kilobytes) / 1000
}

async function measure({ name, pid, pool }: Way, submission: Submission, requests: number): Promise<Sample> {
  const latencies: number[] = []
  const cpu = readCpuMicros(pid)
  readPeakMb(pid)
  const startMs = performance.now()
  let left = requests
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const sentMs = performance.now()
      const answer = await pool.request({
        method: 'POST',
        path: '/identity/kyc/v1',
        headers: submission.headers,
        body: Readable.from(submission.body(), { objectMode: false }),
      })
      if (answer.statusCode !== 200) throw new Error(`${name} answered ${answer.statusCode}`)
      await answer.body.dump()
      latencies.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const seconds = (performance.now() - startMs) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    perSecond: requests / seconds,
    cpuMicros: (readCpuMicros(pid) - cpu) / requests,
    p50: at(0.5),
    p99: at(0.99),
    peakMb: readPeakMb(pid),
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const folder = mkdtempSync(path.join(tmpdir(), 'vaani-bench-shadow-'))
const directoryOf = (stage: Stage): string => path.join(folder, stage)

/** Takes from the spools what a worker would take. */
function emptySpools(): void {
  for (const stage of GATEWAYS) {
    const spool = path.join(directoryOf(stage), 'blobs/shadow/spool')
    const files = existsSync(spool) ? readdirSync(spool) : []
    for (const file of files) rmSync(path.join(spool, file), { force: true })
  }
}

/** Goals: beside the plain proxy for processor and latency, beside nginx for throughput. */
function report(title: string, samples: ReadonlyMap<string, Sample[]>): void {
  const of = (name: string, key: keyof Sample): number =>
    median((samples.get(name) ?? []).map((sample) => sample[key]))
  console.log(
    `\n${title}, ${AT_ONCE} at once\n\n| proxy | a second | of nginx | CPU a request, µs | of plain | p50, ms | p99, ms | p99 over plain, ms | peak, MB |\n|---|---|---|---|---|---|---|---|---|`,
  )
  for (const name of samples.keys()) {
    const show = (key: keyof Sample): string => of(name, key).toPrecision(3)
    const ratio = (key: keyof Sample, other: string): string => (of(name, key) / of(other, key)).toFixed(2)
    console.log(
      `| ${name} | ${show('perSecond')} | ${ratio('perSecond', 'nginx')} | ${show('cpuMicros')} | ${ratio('cpuMicros', PLAIN)} | ` +
        `${show('p50')} | ${show('p99')} | ${(of(name, 'p99') - of(PLAIN, 'p99')).toFixed(1)} | ${show('peakMb')} |`,
    )
  }
}

const cleaning = setInterval(emptySpools, 100)
try {
  const primary = await start('primary.ts')
  const address = `127.0.0.1:${primary.port}`
  const proxies: Record<string, Proxy | null> = {
    [PLAIN]: await start('plain.ts', `http://${address}`),
  }
  for (const stage of GATEWAYS)
    proxies[`gateway, ${stage}`] = await startGateway(`http://${address}`, directoryOf(stage), stage)
  proxies['nginx'] = await startNginx(address, folder)
  const ways: Way[] = [
    {
      name: 'none',
      pid: null,
      metricsUrl: null,
      pool: new Pool(`http://${address}`, { connections: AT_ONCE }),
    },
  ]
  for (const [name, proxy] of Object.entries(proxies))
    if (proxy !== null)
      ways.push({
        name,
        pid: proxy.pid,
        metricsUrl: proxy.metricsUrl ?? null,
        pool: new Pool(`http://127.0.0.1:${proxy.port}`, { connections: AT_ONCE }),
      })

  for (const { title, bytes, requests, rounds } of SIZES) {
    const submission = makeSubmission(bytes)
    const samples = new Map<string, Sample[]>(ways.map(({ name }) => [name, []]))
    for (const way of ways) await measure(way, submission, requests)
    for (let round = 0; round < rounds; round++)
      for (const way of round % 2 === 0 ? ways : ways.toReversed())
        samples.get(way.name)?.push(await measure(way, submission, requests))
    report(title, samples)
    console.log('\nSampled and not copied, since the start:')
    for (const { name, metricsUrl } of ways)
      if (metricsUrl !== null) console.log(`- ${name}: ${await readDrops(metricsUrl)}`)
  }
  console.log(
    '\nGoals: gateway, shadow-10: CPU of plain ≤ 1.10; throughput of nginx ≥ 0.80; p99 over plain ≤ 5 ms; peak ≤ 200 MB',
  )
} finally {
  clearInterval(cleaning)
  for (const child of processes) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
