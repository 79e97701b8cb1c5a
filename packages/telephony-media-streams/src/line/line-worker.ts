import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { createPacer } from '@vaani/telephony/line'
import type { LineCommand, LineReport } from '@vaani/telephony/line'
import { createProviderCalls } from '../call/provider-calls.ts'
import { createRingingCalls } from '../call/ringing-calls.ts'
import { openListener } from '../listener/open-listener.ts'
import { sendRequest } from '../rest/send-request.ts'
import { watchHealth } from '../rest/watch-health.ts'
import { createProvider } from './create-provider.ts'
import type { LineWorkerCommand, LineWorkerData, LineWorkerReport } from './line-options.ts'

// The thread of requests, reports and media. Work on the main thread cannot delay a frame here.

if (!parentPort) throw new Error('line-worker runs only in a worker thread')
const port = parentPort
const { account, line, takesCalls, pacingCells } = workerData as LineWorkerData
const report = (message: LineReport | LineWorkerReport) => port.postMessage(message)
const FRAME_MS = 20

const provider = createProvider(account, Date.now)
const monotonicMs = () => performance.now()
const calls = createProviderCalls({
  provider,
  sendRequest,
  publicUrl: line.publicUrl,
  callerId: line.callerId,
  monotonicMs,
  epochMs: Date.now,
  randomBytes,
  pacingCells,
  emit: (id, event) => report({ type: 'event', id, event }),
  onIdle: () => pacer.stop(),
})
const pacer = createPacer({ intervalMs: FRAME_MS, onTick: calls.tick, monotonicMs })
const after = (delayMs: number, action: () => void) => {
  const timer = setTimeout(action, delayMs)
  return () => clearTimeout(timer)
}
const ringing = createRingingCalls({
  provider,
  publicUrl: line.publicUrl,
  take(call, callSid) {
    pacer.start()
    return calls.take(call, callSid)
  },
  miss: ({ id }) =>
    report({
      type: 'event',
      id,
      event: { type: 'ended', outcome: 'canceled', endedBy: 'callee', durationMs: 0 },
    }),
  onRing: (ring) => report({ type: 'incoming', ...ring }),
  onGone: (incomingId) => report({ type: 'gone', incomingId }),
  after,
})
const listener = await openListener({
  ...line.listen,
  protocol: provider.stream,
  takeCallback: calls.takeCallback,
  redeem: calls.redeem,
  ...(takesCalls && { ring: ringing.ring }),
})

const watch = watchHealth({
  provider,
  sendRequest,
  report: (health) => report({ type: 'health', health }),
  epochMs: Date.now,
  after,
})

port.on('message', (command: LineCommand | LineWorkerCommand) => {
  switch (command.type) {
    case 'dial':
      calls.begin(command.request)
      return pacer.start()
    case 'hang_up':
      return calls.hangUp(command.id)
    case 'answer':
      return ringing.answer(command.incomingId, command.call)
    case 'refuse':
      return ringing.refuse(command.incomingId, command.reason)
    case 'start':
      return
    case 'close':
      watch.stop()
      void listener.close().then(() => report({ type: 'closed' }))
  }
})
