/**
 * `pnpm bench client-overhead`: compares the CPU time of a request by this client with a bare `fetch` and one with a time limit. They
 * take short turns against a server in another process that does nothing. Ratios are medians of the ratios of each round, because
 * other processes may use the CPU too.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Vaani } from '../src/index.ts'

const ROUNDS = 161
const TURN = 25
/** Requests until the code is compiled. */
const WARM_UP = 1000
const KEY = 'sk_test_bench'
const CALL = {
  call_id: 'call_01kamx3v6pf9hr2x8c0q5d7etn',
  status: 'queued',
  to: '+9779812345678',
  agent_id: 'reminder',
  language: 'ne-NP',
  livemode: false,
  carrier: 'simulator',
  created_at: '2026-01-01T00:00:00Z',
}
const SERVER = `
  const body = Buffer.from('${JSON.stringify(CALL)}')
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-request-id': 'req_12345678' }
  require('node:http')
    .createServer((request, response) =>
      request.resume().on('end', () => response.writeHead(request.method === 'GET' ? 200 : 201, headers).end(body)))
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
const [port] = await once(server.stdout, 'data')
const baseUrl = `http://127.0.0.1:${String(port).trim()}`
const vaani = new Vaani({ apiKey: KEY, baseUrl })
const request = { to: '+9779812345678', agent_id: 'reminder', metadata: { name: 'Sita' } }
const headers = { authorization: `Bearer ${KEY}`, accept: 'application/json' }

/** The minimum for any client that enforces a time limit. */
async function fetchWithin(url: string, init: RequestInit): Promise<unknown> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), 30_000)
  try {
    return await (await fetch(url, { ...init, signal: controller.signal })).json()
  } finally {
    clearTimeout(timer)
  }
}

const get: RequestInit = { headers }
const post = (): RequestInit => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(request),
})
const groups: Record<string, Record<string, () => Promise<unknown>>> = {
  GET: {
    'bare fetch': async () => (await fetch(`${baseUrl}/agent/calls/call_1`, get)).json(),
    'fetch with a limit': () => fetchWithin(`${baseUrl}/agent/calls/call_1`, get),
    'this client': () => vaani.calls.retrieve('call_1'),
  },
  POST: {
    'bare fetch': async () => (await fetch(`${baseUrl}/agent/calls`, post())).json(),
    'fetch with a limit': () => fetchWithin(`${baseUrl}/agent/calls`, post()),
    'this client': () => vaani.calls.place(request),
  },
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

async function microsecondsOf(run: () => Promise<unknown>, times = TURN): Promise<number> {
  const start = process.cpuUsage()
  for (let index = 0; index < times; index += 1) await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / times
}

for (const [method, contenders] of Object.entries(groups)) {
  const rounds = new Map(Object.keys(contenders).map((name): [string, number[]] => [name, []]))
  for (const run of Object.values(contenders)) await microsecondsOf(run, WARM_UP)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, run] of Object.entries(contenders)) rounds.get(name)?.push(await microsecondsOf(run))
  const bare = rounds.get('bare fetch') ?? []
  console.log(method)
  console.table(
    Object.fromEntries(
      [...rounds].map(([name, values]) => [
        name,
        {
          'µs of CPU, median': Math.round(median(values)),
          'of bare fetch': median(values.map((value, round) => value / (bare[round] ?? NaN))).toFixed(3),
        },
      ]),
    ),
  )
}
server.kill()
