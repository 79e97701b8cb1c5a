/**
 * `pnpm bench lines`: measures how evenly calls over SIP and RTP are paced, and what they cost, beside the simulator in turns of one run,
 * with and without stalls of the main thread. Each call is fed speech. The far end of SIP is a softphone in a process of its own.
 * `pnpm bench lines 1 50` measures that many calls at a time.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Carrier, CarrierCall } from '@vaani/telephony'
import { createSipCarrier, type Trunk } from '../src/index.ts'
import { createSimulatorCarrier } from '../src/simulator/index.ts'

const CALL_COUNTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 50, 200, 400]
const MEASURED_MS = 4000
const STALL_MS = 300
// About twice a second, but not a multiple of a frame's 20 ms, so that stalls hit frames at every phase.
const STALL_EVERY_MS = 507
const SPEECH_LEVEL = 1000

/** Blocks the main thread, as parsing a large JSON would. */
function stallMainThread() {
  const endMs = performance.now() + STALL_MS
  while (performance.now() < endMs);
}

/** Sends speech until the call has ended, as fast as the carrier accepts it. */
async function speak(call: CarrierCall, sampleRateHz: number): Promise<void> {
  const speech = new Int16Array(sampleRateHz).fill(SPEECH_LEVEL)
  const end = call.ended.then(() => 'ended' as const)
  while ((await Promise.race([end, call.send(speech)])) !== 'ended');
}

async function answered(call: CarrierCall): Promise<void> {
  for await (const event of call.events) if (event.type === 'answered') return
  throw new Error(`A call ended before it was answered: ${JSON.stringify(await call.ended)}`)
}

async function measure(name: string, carrier: Carrier, callCount: number, stalls: boolean) {
  const calls = Array.from({ length: callCount }, (_, index) =>
    carrier.dial({
      callId: String(index),
      to: '+9779812345678',
      ringTimeoutMs: 45_000,
      maxDurationMs: 900_000,
    }),
  )
  const speaking = calls.map((call) => speak(call, carrier.sampleRateHz))
  await Promise.all(calls.map(answered))
  await delay(500)
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
  const ends = await Promise.all(calls.map(({ ended }) => ended))
  const qualities = ends.flatMap(({ quality }) => quality ?? [])
  const cpuPercent = (cpu.user + cpu.system) / 10 / elapsedMs
  return {
    carrier: name,
    calls: pacing.calls,
    stalls: stalls ? `${STALL_MS} ms / ${STALL_EVERY_MS} ms` : 'none',
    'gap p50 ms': pacing.p50Ms,
    'gap p99 ms': pacing.p99Ms,
    'gap max ms': pacing.maxMs,
    gaps: pacing.gaps,
    'MOS, least': qualities.length === 0 ? '' : Math.min(...qualities.map(({ mos }) => mos)).toFixed(2),
    // A stalled main thread would count as cost of the calls.
    'CPU % of a core a call': stalls ? '' : (cpuPercent / callCount).toFixed(3),
  }
}

const phone = spawn(process.execPath, [...process.execArgv, new URL('phone.ts', import.meta.url).pathname], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(phone.stdout, 'data')
const trunk: Trunk = JSON.parse(String(line))
const rows = []
for (const callCount of CALL_COUNTS)
  for (const stalls of [false, true]) {
    const simulator = createSimulatorCarrier({ ringMs: 100 })
    rows.push(await measure('simulator, both ends', simulator, callCount, stalls))
    for (const codec of ['PCMU', 'G722'] as const) {
      const carrier = createSipCarrier({ name: 'simulator', trunk, codecs: [codec] })
      rows.push(await measure(`SIP, ${codec}`, carrier, callCount, stalls))
    }
  }
phone.kill('SIGTERM')
console.table(rows)
