import { parentPort, workerData } from 'node:worker_threads'
import { FRAME_DURATION_MS } from '../carrier.ts'
import type { MediaCommand, MediaReport, MediaWorkerData } from './messages.ts'
import { createPacer } from '../line/pacer.ts'
import { createPhoneExchange } from './phone-exchange.ts'

// The playing thread. Work on the main thread cannot delay a frame here.

if (!parentPort) throw new Error('media-worker runs only in a worker thread')
const port = parentPort
const { sampleRateHz, ringMs, pace, pacingCells } = workerData as MediaWorkerData
const report = (message: MediaReport) => port.postMessage(message)

/** Frames between waits for the disk while time is advanced manually: one second. */
const FRAMES_PER_WRITE = 1000 / FRAME_DURATION_MS

let manualMs = 0
const clock =
  pace === 'manual'
    ? { monotonicMs: () => manualMs, epochMs: () => manualMs }
    : { monotonicMs: () => performance.now(), epochMs: () => Date.now() }

const exchange = createPhoneExchange({
  sampleRateHz,
  ringMs,
  clock,
  pacingCells,
  emit: (id, event) => report({ type: 'event', id, event }),
  onIdle: () => pacer?.stop(),
})
const pacer =
  pace === 'manual'
    ? undefined
    : createPacer({
        intervalMs: pace.frameIntervalMs,
        onTick: exchange.tick,
        monotonicMs: clock.monotonicMs,
      })

async function advance(frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) {
    manualMs += FRAME_DURATION_MS
    exchange.tick()
    if (frame % FRAMES_PER_WRITE === 0) await exchange.written()
  }
}

port.on('message', (command: MediaCommand) => {
  switch (command.type) {
    case 'dial':
      exchange.dial(command.request)
      pacer?.start()
      break
    case 'hang_up':
      exchange.hangUp(command.id)
      break
    case 'advance':
      void advance(command.frames).then(() => report({ type: 'advanced' }))
  }
})
