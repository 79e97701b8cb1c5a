/**
 * `pnpm bench client`: measures the client's overhead over a bare `fetch` of the same call from the same server, interleaved
 * with two well-known SDKs, which it installs; the import time of the built package; and the memory of a 50 MB upload.
 * Run `pnpm build` first.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Vaani } from '@vaani/client'
import { median } from './api/load.ts'
import { startServer, stopServer } from './kyc/start-server.ts'

const ROUNDS = 41
const TURN = 100
/** Enough runs for the JIT to compile every contender. */
const WARM_UP = 2000
const PEERS = ['openai@7.55.0', 'stripe@23.1.0']
const KEY = 'sk_test_bench_0123456789abcdef'
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-client-'))
execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', ...PEERS])
const requirePeer = createRequire(path.join(folder, 'index.js'))
const server = await startServer(['--conditions=vaani-source', 'apps/server/src/main.ts'], {
  PORT: '0',
  LOG_LEVEL: 'warn',
  VAANI_ROLES: 'api',
  VAANI_BOOTSTRAP_API_KEY: KEY,
  VAANI_DATA_DIR: path.join(folder, 'data'),
})
try {
  const vaani = new Vaani({ apiKey: KEY, baseUrl: server.url })
  const [agent] = (await vaani.agents.list()).data
  const { call_id: callId } = await vaani.calls.place({
    to: '+9779812345678',
    agent_id: agent?.agent_id ?? '',
  })
  const { default: OpenAI } = requirePeer('openai')
  const Stripe = requirePeer('stripe')
  const { hostname: host, port } = new URL(server.url)
  const openai = new OpenAI({ apiKey: KEY, baseURL: server.url })
  const stripe = new Stripe(KEY, { host, port, protocol: 'http', telemetry: false })
  const headers = { authorization: `Bearer ${KEY}`, accept: 'application/json' }
  const address = `${server.url}/agent/calls/${callId}`
  /** The minimum for any client with a timeout, and so the lower bound for ours. */
  async function fetchWithin(timeoutMs: number): Promise<unknown> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    try {
      return await (await fetch(address, { headers, signal: controller.signal })).json()
    } finally {
      clearTimeout(timer)
    }
  }
  const contenders = {
    'bare fetch': async () => (await fetch(address, { headers })).json(),
    'fetch with a timeout': () => fetchWithin(30_000),
    'this client': () => vaani.calls.retrieve(callId),
    openai: () => openai.get(`/agent/calls/${callId}`),
    stripe: () => stripe.rawRequest('GET', `/agent/calls/${callId}`),
  }
  const timed = async (run: () => Promise<unknown>, times = TURN): Promise<number> => {
    const startMs = performance.now()
    for (let index = 0; index < times; index++) await run()
    return ((performance.now() - startMs) * 1000) / times
  }
  const microseconds = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]))
  for (const run of Object.values(contenders)) await timed(run, WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, run] of Object.entries(contenders)) microseconds.get(name)?.push(await timed(run))
  const bare = microseconds.get('bare fetch') ?? []
  console.table(
    Object.fromEntries(
      [...microseconds].map(([name, all]) => [
        name,
        {
          'µs a request, median': Math.round(median(all)),
          'of bare fetch': median(all.map((value, round) => value / (bare[round] ?? Number.NaN))).toFixed(3),
        },
      ]),
    ),
  )
} finally {
  await stopServer(server)
  await rm(folder, { recursive: true, force: true })
}

/** Runs code in a new process, because a process imports a module only once. */
const measure = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--expose-gc', '-e', code], {
    encoding: 'utf8',
  }).trim()
const built = new URL('../../../packages/client/dist/index.js', import.meta.url).href
const imports = Array.from({ length: 9 }, () =>
  Number(
    measure(`const t = performance.now(); await import('${built}'); console.log(performance.now() - t)`),
  ),
)
console.log(
  `import of the built package: ${median(imports).toFixed(1)} ms, median of ${imports.length} processes`,
)

const sink = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.writeHead(200).end('{"verification_id":"ver_1","status":"pending"}'))
}).listen(0, '127.0.0.1')
const port = await new Promise<number>((resolve) =>
  sink.once('listening', () => resolve((sink.address() as AddressInfo).port)),
)
const upload = `
  const { Vaani } = await import('${built}')
  const vaani = new Vaani({ apiKey: 'sk_test_x', baseUrl: 'http://127.0.0.1:${port}' })
  async function* video() { for (let piece = 0; piece < 800; piece++) yield new Uint8Array(65536) }
  gc(); const before = process.memoryUsage().rss; let most = 0
  const watch = setInterval(() => { most = Math.max(most, process.memoryUsage().rss) }, 5)
  await vaani.identity.submit({ front_image: new Uint8Array(300000), liveness_video: video() })
  clearInterval(watch); console.log(Math.round((most - before) / 2 ** 20))`
// Asynchronous, because the sink runs in this process.
const { stdout: uploadMb } = await promisify(execFile)(process.execPath, [
  '--input-type=module',
  '--expose-gc',
  '-e',
  upload,
])
console.log(`an upload of 52 MB as base64 adds ${uploadMb.trim()} MB of memory at its peak`)
sink.close()
