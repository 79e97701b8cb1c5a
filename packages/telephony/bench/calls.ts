/**
 * `pnpm bench calls`: measures how evenly the loopback phone paces calls, with and without stalls of the main thread. Each call
 * is fed speech and recorded. `pnpm bench calls 1 50` measures that many at a time.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLoopbackCarrier } from '../src/index.ts'
import type { CarrierCall } from '../src/index.ts'

const CALL_COUNTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 50, 100, 200]
const MEASURED_MS = 2000
const STALL_MS = 30
// About twice a second, but not a multiple of a frame's 20 ms, so that stalls hit frames at every phase.
const STALL_EVERY_MS = 507
const SPEECH_LEVEL = 1000
const WAV_HEADER_BYTES = 44

/** Blocks the main thread, as parsing a large JSON would. */
function stallMainThread() {
  const endMs = performance.now() + STALL_MS
  while (performance.now() < endMs);
}

/** Sends speech until the call has ended, as fast as the carrier accepts it. */
async function speak(call: CarrierCall, sampleRateHz: number): Promise<void> {
  const speech = new Int16Array(sampleRateHz / 2).fill(SPEECH_LEVEL)
  const end = call.ended.then(() => 'ended' as const)
  while ((await Promise.race([end, call.send(speech)])) !== 'ended');
}

async function answered(call: CarrierCall): Promise<void> {
  for await (const event of call.events) if (event.type === 'answered') return
  throw new Error('A call ended before it was answered')
}

/** Counts the samples of silence inside the speech of a recording. */
async function holes(path: string): Promise<number> {
  const bytes = new Uint8Array(await readFile(path))
  const heard = new Int16Array(bytes.buffer, WAV_HEADER_BYTES)
  const speech = heard.subarray(heard.indexOf(SPEECH_LEVEL), heard.lastIndexOf(SPEECH_LEVEL) + 1)
  return speech.reduce((count, sample) => count + (sample === 0 ? 1 : 0), 0)
}

async function measure(callCount: number, stalls: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'vaani-bench-'))
  const carrier = createLoopbackCarrier({ ringMs: 100 })
  const recordings = Array.from({ length: callCount }, (_, index) => join(folder, `${index}.wav`))
  const calls = recordings.map((recordingPath) =>
    carrier.dial({
      callId: recordingPath,
      to: '+9779812345678',
      ringTimeoutMs: 45_000,
      maxDurationMs: 900_000,
      recordingPath,
    }),
  )
  const speaking = calls.map((call) => speak(call, carrier.sampleRateHz))
  await Promise.all(calls.map(answered))
  await delay(200)

  const stalling = stalls ? setInterval(stallMainThread, STALL_EVERY_MS) : undefined
  carrier.pacing()
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  await delay(MEASURED_MS)
  const pacing = carrier.pacing()
  const cpu = process.cpuUsage(cpuBefore)
  const elapsedMs = performance.now() - startedMs
  clearInterval(stalling)

  await carrier.close()
  await Promise.all(speaking)
  const holesHeard = (await Promise.all(recordings.map(holes))).reduce((sum, count) => sum + count, 0)
  await rm(folder, { recursive: true })
  return {
    calls: pacing.calls,
    stalls: stalls ? `${STALL_MS} ms / ${STALL_EVERY_MS} ms` : 'none',
    'gap p50 ms': pacing.p50Ms,
    'gap p99 ms': pacing.p99Ms,
    'gap max ms': pacing.maxMs,
    gaps: pacing.gaps,
    'samples of silence in speech': holesHeard,
    'CPU % of a core': Math.round((cpu.user + cpu.system) / 10 / elapsedMs),
  }
}

const rows = []
for (const callCount of CALL_COUNTS) {
  for (const stalls of [false, true]) rows.push(await measure(callCount, stalls))
}
console.table(rows)
