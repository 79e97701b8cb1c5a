/**
 * `pnpm bench stream`: measures the time to first byte of POST /v1/audio/stream at 1, 10 and 50 concurrent streams, and how many
 * streams run in real time without a gap.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'

const KEY = 'sk_test_bench_0123456789abcdef'
const BYTES_PER_MS = 32
const PACED_MS = 4000
const root = path.resolve(import.meta.dirname, '../../..')
const TEXT =
  'Namaste, this is a reminder of your appointment tomorrow at ten. Please bring your papers with you. ' +
  'If you cannot come, call the clinic before noon, and we will find another day. '.repeat(8)

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-'))
const child = spawn(process.execPath, ['--conditions=source', 'apps/server/src/main.ts'], {
  cwd: root,
  env: { ...process.env, PORT: '0', VAANI_DATA_DIR: folder, VAANI_BOOTSTRAP_API_KEY: KEY, LOG_LEVEL: 'info' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
const url = await new Promise<string>((resolve, reject) => {
  child.stdout.on('data', (data: Buffer) => {
    output += String(data)
    const address = /"address":"([^"]+)"/.exec(output)?.[1]
    if (address !== undefined) resolve(address)
  })
  child.once('exit', (code) => reject(new Error(`The server exited with ${code}: ${output}`)))
})
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

async function raiseLimit(): Promise<void> {
  const accounts = (await (await fetch(`${url}/admin/accounts`, { headers })).json()) as {
    data: { account_id: string }[]
  }
  await fetch(`${url}/admin/accounts/${accounts.data[0]?.account_id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({
      rate_overrides: {
        speech_stream: { limit: 100_000, period_seconds: 60 },
        concurrent_streams: { limit: 1000 },
      },
    }),
  })
}

const request = (pool: Pool) =>
  pool.request({
    method: 'POST',
    path: '/v1/audio/stream',
    headers,
    body: JSON.stringify({ model: 'stream-tts', input: TEXT, voice: 'nova', language: 'en-US' }),
  })

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Measures the time to the first chunk of each stream, then abandons the stream. */
async function firstBytes(streams: number, rounds: number): Promise<number[]> {
  const pool = new Pool(url, { connections: streams })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      Array.from({ length: streams }, async () => {
        const startedMs = performance.now()
        const response = await request(pool)
        for await (const _ of response.body) {
          times.push(performance.now() - startedMs)
          break
        }
      }),
    )
    await delay(100)
  }
  await pool.close()
  return times
}

/** Reads streams in real time. A gap is audio that had not arrived when it was due. */
async function paced(streams: number): Promise<{ gaps: number; worstLateMs: number }> {
  const pool = new Pool(url, { connections: streams })
  let gaps = 0
  let worstLateMs = 0
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      await delay((index * 1000) / streams)
      const response = await request(pool)
      let bytes = 0
      let startedMs: number | undefined
      for await (const chunk of response.body) {
        const nowMs = performance.now()
        startedMs ??= nowMs
        const lateMs = nowMs - startedMs - bytes / BYTES_PER_MS
        if (lateMs > 0) gaps++
        worstLateMs = Math.max(worstLateMs, lateMs)
        bytes += (chunk as Buffer).length
        if (nowMs - startedMs > PACED_MS) break
        // A player buffers 200 ms, and reads the next chunk when the buffer has room.
        const aheadMs = bytes / BYTES_PER_MS - (performance.now() - startedMs)
        if (aheadMs > 200) await delay(aheadMs - 200)
      }
    }),
  )
  await pool.close()
  return { gaps, worstLateMs }
}

try {
  await raiseLimit()
  // Warm up: the JIT is still compiling in a server that has just started.
  await firstBytes(10, 30)
  const rows = []
  for (const [streams, rounds] of [
    [1, 60],
    [10, 20],
    [50, 8],
  ] as const) {
    const times = await firstBytes(streams, rounds)
    rows.push({
      'concurrent streams': streams,
      'first byte p50 ms': percentile(times, 0.5).toFixed(1),
      'p99 ms': percentile(times, 0.99).toFixed(1),
      'max ms': Math.max(...times).toFixed(1),
      count: times.length,
    })
  }
  console.table(rows)
  const pacedRows = []
  for (const streams of [50, 100, 200, 400]) {
    const { gaps, worstLateMs } = await paced(streams)
    pacedRows.push({
      'streams in real time': streams,
      gaps,
      'worst lateness ms': worstLateMs.toFixed(0),
    })
  }
  console.table(pacedRows)
} finally {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
  await rm(folder, { recursive: true, force: true })
}
