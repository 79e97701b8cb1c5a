/**
 * `pnpm bench kyc`: measures identity submissions with a 37 MB video, the largest allowed, one and several at once: their
 * duration, their memory on top of a warm server, and how long another request waits meanwhile. Version 2 is compared with a
 * server that reads the same body whole (`JSON.parse`, `Buffer.from`), interleaved in one run. At last, the memory of the first
 * large submission to a new server, which has answered a small one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from './api/load.ts'
import { type Server, startServer, stopServer } from './kyc/start-server.ts'

const ROUNDS = 3
const AT_ONCE = [1, 4, 8]
const IDLE_MS = 1000
const VIDEO_BYTES = 37_000_000
const KEY = 'sk_live_bench_0123456789abcdef'
const root = path.resolve(import.meta.dirname, '../../..')
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-kyc-'))

/** Makes a short video, as it is and padded with a box that players skip. */
async function makeVideos(): Promise<{ short: Buffer; video: Buffer }> {
  const file = path.join(folder, 'video.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x480:rate=15:duration=4']
  execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file])
  const short = await readFile(file)
  const box = Buffer.alloc(VIDEO_BYTES - short.length)
  box.writeUInt32BE(box.length, 0)
  box.write('free', 4)
  return { short, video: Buffer.concat([short, box]) }
}

const front = await readFile(path.join(root, 'packages/identity-checks/specimens/passport.jpg'))
const { short, video } = await makeVideos()
const bodyOf = (media: Buffer) =>
  Buffer.from(
    JSON.stringify({
      front_image_b64: front.toString('base64'),
      liveness_video_b64: media.toString('base64'),
    }),
  )
const json = bodyOf(video)
const shortJson = bodyOf(short)

const readStatus = async (pid: number, name: string) =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const postJson = (url: string) => post(url, json)
async function post(url: string, body: Buffer<ArrayBuffer>): Promise<void> {
  const response = await fetch(`${url}/identity/kyc/v2`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body,
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
}
async function postForm(url: string): Promise<void> {
  const form = new FormData()
  const parts = { front_image: front, back_image: front, liveness_video: video }
  for (const [name, bytes] of Object.entries(parts))
    form.append(name, new Blob([new Uint8Array(bytes)]), name)
  const headers = { authorization: `Bearer ${KEY}` }
  const response = await fetch(`${url}/identity/kyc/v1`, { method: 'POST', headers, body: form })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
}

/** Returns the duration in ms, the memory growth in MB, and the longest wait of another request in ms. */
async function measure(server: Server, post: (url: string) => Promise<void>, count: number) {
  const pid = server.child.pid ?? 0
  const before = await readStatus(pid, 'VmRSS')
  // Resets the peak (VmHWM).
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const waiter = spawn(process.execPath, [path.join(import.meta.dirname, 'kyc/waiter.ts'), server.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(waiter.stdout, 'data')
  const startMs = performance.now()
  await Promise.all(Array.from({ length: count }, () => post(server.url)))
  const ms = performance.now() - startMs
  waiter.stdin.end()
  const [longest] = (await once(waiter.stdout, 'data')) as [Buffer]
  const longestMs = Number(String(longest))
  return { ms, longestMs, growthMb: (await readStatus(pid, 'VmHWM')) - before }
}

const startOurs = (name: string) =>
  startServer(['--conditions=vaani-source', 'apps/server/src/main.ts'], {
    PORT: '0',
    LOG_LEVEL: 'warn',
    VAANI_ROLES: 'api',
    VAANI_BOOTSTRAP_API_KEY: KEY,
    VAANI_DATA_DIR: path.join(folder, name),
  })
const ours = await startOurs('data')
const byHand = await startServer(['apps/server/bench/kyc/by-hand-server.ts'])
const contenders = [
  ['read whole, by hand', byHand, postJson],
  ['version 2', ours, postJson],
  ['version 1', ours, postForm],
] as const

try {
  for (const [, server, post] of contenders) await measure(server, post, 1)
  const idle = []
  for (let round = 0; round < ROUNDS; round++) idle.push(await measure(ours, () => delay(IDLE_MS), 1))
  const idleMs = median(idle.map(({ longestMs }) => longestMs))
  console.log(`longest wait of another request while nothing is submitted: ${Math.round(idleMs)} ms`)
  const table = []
  for (const count of AT_ONCE) {
    const measured = new Map(contenders.map(([name]) => [name, [] as Awaited<ReturnType<typeof measure>>[]]))
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, server, post] of contenders) {
        measured.get(name)?.push(await measure(server, post, count))
        await delay(500)
      }
    const limit = median((measured.get('read whole, by hand') ?? []).map(({ ms }) => ms))
    for (const [name, all] of measured)
      table.push({
        submission: name,
        'at once': count,
        ms: Math.round(median(all.map(({ ms }) => ms))),
        'of by hand': (median(all.map(({ ms }) => ms)) / limit).toFixed(2),
        'MB each': Math.round(median(all.map(({ growthMb }) => growthMb)) / count),
        'longest wait of another request, ms': Math.round(median(all.map(({ longestMs }) => longestMs))),
      })
  }
  console.table(table)
  const fresh = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startOurs(`fresh-${round}`)
    await post(server.url, shortJson)
    fresh.push(await measure(server, postJson, 1).finally(() => stopServer(server)))
  }
  console.log(`in a new process: ${Math.round(median(fresh.map(({ growthMb }) => growthMb)))} MB`)
} finally {
  for (const server of [ours, byHand]) await stopServer(server)
  await rm(folder, { recursive: true, force: true })
}
