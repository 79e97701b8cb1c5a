import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { FRAME_DURATION_MS } from '@vaani/telephony'
import { createPacer } from '@vaani/telephony/line'
import { systemClock } from '../clock.ts'
import { openUdpSocket } from '../media/udp-socket.ts'
import { createManualClock } from './manual-clock.ts'
import { createMemoryNetwork } from './memory-network.ts'
import type { SimulatorCommand, SimulatorReport, SimulatorWorkerData } from './messages.ts'
import { openSimulatedLine } from './simulated-line.ts'

// The thread of both ends of all calls. Work on the main thread cannot delay a frame here.

if (!parentPort) throw new Error('simulator-worker runs only in a worker thread')
const port = parentPort
const { sampleRateHz, ringMs, pace, pacingCells } = workerData as SimulatorWorkerData
const report = (message: SimulatorReport) => port.postMessage(message)

/** Frames between waits for the disk while time is advanced manually: one second. */
const FRAMES_PER_WRITE = 1000 / FRAME_DURATION_MS
/** Frames that a busy thread makes up for. It leaves out the others. */
const MOST_FRAMES_DUE = 100

const isManual = pace === 'manual'
const isRealTime = !isManual && pace.frameIntervalMs === FRAME_DURATION_MS
const manualClock = createManualClock()
const line = await openSimulatedLine({
  // Only real time can have a real network, which takes as long as it takes.
  ...(isRealTime
    ? { clock: systemClock, openSocket: openUdpSocket }
    : { clock: manualClock, ...createMemoryNetwork() }),
  sampleRateHz,
  ringMs,
  pacingCells,
  pacingClock: isManual ? manualClock : systemClock,
  epochMs: isManual ? manualClock.nowMs : Date.now,
  emit: (id, event) => report({ type: 'event', id, event }),
  onIdle: () => pacer?.stop(),
})

/** Passes 20 ms of the manual clock. Whatever is sent meanwhile has arrived when this resolves. */
async function passFrame(): Promise<void> {
  line.tick()
  await manualClock.pass(FRAME_DURATION_MS)
}

let framesDue = 0
let passing: Promise<void> | undefined
async function passFramesDue(): Promise<void> {
  for (; framesDue > 0; framesDue -= 1) await passFrame()
  passing = undefined
}
function addFrame(): void {
  framesDue = Math.min(framesDue + 1, MOST_FRAMES_DUE)
  passing ??= passFramesDue()
}

const pacer =
  pace === 'manual'
    ? undefined
    : createPacer({
        intervalMs: pace.frameIntervalMs,
        onTick: isRealTime ? line.tick : addFrame,
        monotonicMs: systemClock.nowMs,
      })

async function advance(frames: number): Promise<void> {
  // Calls that were dialled just now begin to ring before time passes.
  await setImmediate()
  for (let frame = 0; frame < frames; frame += 1) {
    await passFrame()
    if (frame % FRAMES_PER_WRITE === 0) await line.written()
  }
  report({ type: 'advanced' })
}
let advancing = Promise.resolve()

port.on('message', (command: SimulatorCommand) => {
  switch (command.type) {
    case 'dial':
      line.dial(command.request)
      pacer?.start()
      break
    case 'hang_up':
      line.hangUp(command.id)
      break
    case 'advance':
      advancing = advancing.then(() => advance(command.frames))
  }
})
