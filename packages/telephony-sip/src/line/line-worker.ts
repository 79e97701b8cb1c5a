import { parentPort, workerData } from 'node:worker_threads'
import { createPacer } from '@vaani/telephony/line'
import type { LineCommand, LineReport } from '@vaani/telephony/line'
import { randomBytes } from 'node:crypto'
import { systemClock } from '../clock.ts'
import { createTrace } from '../trace/create-trace.ts'
import { createMediaSession } from '../media/create-media-session.ts'
import { DEFAULT_CODECS, createSrtpKey, offerAudio } from '../media/offer-audio.ts'
import { openUdpSocket } from '../media/udp-socket.ts'
import type { LineWorkerCommand, LineWorkerData, LineWorkerReport } from './line-options.ts'
import { announceIncoming } from './announce-incoming.ts'
import { openAgent } from './open-agent.ts'
import { calleeOf } from './sip-call.ts'
import { createSipCalls } from './sip-calls.ts'

// The thread of signalling and media. Work on the main thread cannot delay a frame here.

if (!parentPort) throw new Error('line-worker runs only in a worker thread')
const port = parentPort
const { line, sampleRateHz, pacingCells, isTraced } = workerData as LineWorkerData
const { trunk, mediaPorts, codecs = DEFAULT_CODECS } = line
const report = (message: LineReport | LineWorkerReport) => port.postMessage(message)
const FRAME_MS = 20

const trace = isTraced ? createTrace((entry) => report({ type: 'trace', entry }), Date.now) : undefined
const { agent, localAddress, advertisedAddress } = await openAgent(line, trace)
agent.onHealth((health) =>
  report({
    type: 'health',
    health: health.state === 'unknown' ? health : { ...health, sinceMs: Date.now() },
  }),
)
const calls = createSipCalls({
  sampleRateHz,
  async openMedia() {
    const session = await createMediaSession({
      localAddress,
      ...(mediaPorts && { portRange: mediaPorts }),
      sampleRateHz,
      clock: systemClock,
      randomBytes,
      openSocket: openUdpSocket,
      hasOpus: codecs.includes('opus'),
    })
    return trace?.followMedia(session) ?? session
  },
  describe: ({ localPort }) =>
    offerAudio({
      address: advertisedAddress,
      port: localPort,
      codecs,
      ...(trunk.srtp === 'required' && { srtp: createSrtpKey() }),
    }),
  clock: systemClock,
  epochMs: Date.now,
  pacingCells,
  tellsFarewell: true,
  emit: (id, event) => report({ type: 'event', id, event }),
  onIdle: () => pacer.stop(),
})
const pacer = createPacer({
  intervalMs: FRAME_MS,
  onTick() {
    calls.tick()
    trace?.tick()
  },
  monotonicMs: systemClock.nowMs,
})
const incoming = announceIncoming(agent, report)
const begin: typeof calls.begin = (call, farEnd) => {
  calls.begin(call, farEnd)
  pacer.start()
}

port.on('message', (command: LineCommand | LineWorkerCommand) => {
  switch (command.type) {
    case 'dial':
      return begin(command.request, calleeOf(agent, command.request))
    case 'answer':
      return begin(command.call, incoming.farEnd(command.incomingId))
    case 'refuse':
      return incoming.refuse(command.incomingId, command.reason)
    case 'hang_up':
      return calls.hangUp(command.id)
    case 'hang_up_left':
      // Of a state that an earlier version wrote, or that DNS cannot find now, nothing can be said to anybody.
      return void agent.hangUpLeft(command.farewell).catch(() => undefined)
    case 'start':
      return
    case 'close':
      void agent.close().then(() => report({ type: 'closed' }))
  }
})
