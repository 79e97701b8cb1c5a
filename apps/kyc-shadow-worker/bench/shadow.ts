/**
 * `pnpm bench shadow`: what a caller and an operator pay for the gateway, beside the shortest proxy that undici makes and beside
 * nginx (Debian's, with one worker). By turns in one run, so that a machine whose speed drifts treats all alike.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Pool } from 'undici'

const ROUNDS = 15
const SMALL_BYTES = 10_000
const LARGE_BYTES = 50_000_000
const AT_ONCE = 8

interface Way {
  name: string
  /** The process that is measured. Null for none in between. */
  pid: number | null
  pool: Pool
}
interface Sample {
  perSecond: number
  cpuMicros: number
  p50: number
  p99: number
}

const processes: ChildProcess[] = []

async function start(file: string, ...args: string[]): Promise<{ pid: number; port: number }> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', path.join(import.meta.dirname, 'shadow', file), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  processes.push(child)
  const [port] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return { pid: child.pid ?? 0, port: Number(String(port)) }
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
async function startNginx(primary: string, folder: string): Promise<{ pid: number; port: number } | null> {
  const port = await findPort()
  const file = path.join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
http { access_log off; ${paths.join(' ')} client_max_body_size 0; keepalive_requests 1000000;
  upstream primary { server ${primary}; keepalive 64; }
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

function readCpuMicros(pid: number | null): number {
  if (pid === null) return 0
  const [nanos = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanos) * MICROS_PER_NANO
}

async function measure({ pid, pool }: Way, bytes: number, requests: number): Promise<Sample> {
  const body = Buffer.alloc(bytes, 'a')
  const latencies: number[] = []
  const cpu = readCpuMicros(pid)
  const startMs = performance.now()
  let left = requests
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const sentMs = performance.now()
      const answer = await pool.request({ method: 'POST', path: '/identity/kyc/v1', body })
      if (answer.statusCode !== 200) throw new Error(`Answered ${answer.statusCode}`)
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
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const folder = mkdtempSync(path.join(tmpdir(), 'vaani-bench-shadow-'))
try {
  const primary = await start('primary.ts')
  const address = `127.0.0.1:${primary.port}`
  const proxies = {
    'plain undici': await start('plain.ts', `http://${address}`),
    gateway: await start('gateway.ts', `http://${address}`),
    nginx: await startNginx(address, folder),
  }
  const ways: Way[] = [
    { name: 'none', pid: null, pool: new Pool(`http://${address}`, { connections: AT_ONCE }) },
  ]
  for (const [name, proxy] of Object.entries(proxies))
    if (proxy !== null)
      ways.push({
        name,
        pid: proxy.pid,
        pool: new Pool(`http://127.0.0.1:${proxy.port}`, { connections: AT_ONCE }),
      })

  for (const [title, bytes, requests] of [
    ['10 kB', SMALL_BYTES, 2000],
    ['50 MB', LARGE_BYTES, 16],
  ] as const) {
    const samples = new Map<string, Sample[]>(ways.map(({ name }) => [name, []]))
    for (const way of ways) await measure(way, bytes, requests)
    for (let round = 0; round < (bytes === LARGE_BYTES ? 5 : ROUNDS); round++)
      for (const way of round % 2 === 0 ? ways : ways.toReversed())
        samples.get(way.name)?.push(await measure(way, bytes, requests))
    console.log(
      `\n${title}, ${AT_ONCE} at once\n\n| proxy | a second | CPU a request, µs | p50, ms | p99, ms |\n|---|---|---|---|---|`,
    )
    for (const [name, taken] of samples) {
      const of = (key: keyof Sample): string => median(taken.map((sample) => sample[key])).toPrecision(3)
      console.log(`| ${name} | ${of('perSecond')} | ${of('cpuMicros')} | ${of('p50')} | ${of('p99')} |`)
    }
  }
} finally {
  for (const child of processes) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
