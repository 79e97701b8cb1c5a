/**
 * `pnpm bench kyc-load`: measures how many verifications a server decides per minute, and how long submissions take meanwhile.
 * Each submission has a passport image and a four-second video; two clients each submit one after another.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Verification } from '@vaani/contracts'
import { startServer, stopServer } from './kyc/start-server.ts'

const SUBMISSIONS = 40
const CLIENTS = 2
const KEY = 'sk_live_bench_0123456789abcdef'
const specimen = path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens/passport.jpg')
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-kyc-load-'))
const file = path.join(folder, 'video.mp4')
const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x480:rate=15:duration=4']
execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file])
const body = JSON.stringify({
  front_image_b64: (await readFile(specimen)).toString('base64'),
  liveness_video_b64: (await readFile(file)).toString('base64'),
})
const server = await startServer(['--conditions=vaani-source', 'apps/server/src/main.ts'], {
  PORT: '0',
  LOG_LEVEL: 'warn',
  VAANI_BOOTSTRAP_API_KEY: KEY,
  VAANI_IDENTITY_POLICY: 'document-only',
  VAANI_DATA_DIR: path.join(folder, 'data'),
})
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
async function submit(): Promise<number> {
  const startMs = performance.now()
  const response = await fetch(`${server.url}/identity/kyc/v2`, { method: 'POST', headers, body })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return performance.now() - startMs
}
async function countDecided(): Promise<number> {
  const response = await fetch(`${server.url}/identity/verifications?limit=100`, { headers })
  const { data } = (await response.json()) as { data: Verification[] }
  return data.filter(({ status }) => status !== 'pending').length
}
const at = (values: readonly number[], share: number) =>
  Math.round(
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0,
  )

try {
  await submit()
  while ((await countDecided()) < 1) await delay(100)
  const idle = await submit()
  while ((await countDecided()) < 2) await delay(100)
  const startMs = performance.now()
  const latencies: number[] = []
  let left = SUBMISSIONS
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) latencies.push(await submit())
    }),
  )
  const submittedMs = performance.now() - startMs
  while ((await countDecided()) < SUBMISSIONS + 2) await delay(100)
  const minutes = (performance.now() - startMs) / 60_000
  // Like the server, reserve one processor for requests.
  const threads = Math.max(1, availableParallelism() - 1)
  console.table({
    'submission on an idle server, ms': Math.round(idle),
    'submission while verifications run, ms, p50': at(latencies, 0.5),
    'same, p99': at(latencies, 0.99),
    'submissions per minute': Math.round((SUBMISSIONS / submittedMs) * 60_000),
    'verifications decided per minute': Math.round(SUBMISSIONS / minutes),
    'same, per checking thread': Math.round(SUBMISSIONS / minutes / threads),
  })
} finally {
  await stopServer(server)
  await rm(folder, { recursive: true, force: true })
}
