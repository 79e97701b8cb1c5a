import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import { createPacer } from '@vaani/telephony/line'
import type { LineCommand, LineReport } from '@vaani/telephony/line'
import type { UserAgent } from '../agent/user-agent.ts'
import { systemClock } from '../clock.ts'
import { createMediaSession } from '../media/create-media-session.ts'
import { ALL_CODECS, createSrtpKey, offerAudio } from '../media/offer-audio.ts'
import { openUdpSocket } from '../media/udp-socket.ts'
import { findLocalAddress } from './find-local-address.ts'
import type { LineOptions, LineWorkerCommand, LineWorkerData, LineWorkerReport } from './line-options.ts'
import { createSipCalls } from './sip-calls.ts'

const FRAME_MS = 20

/** Opens the user agent of a line, whose sockets have this local address. */
export type OpenAgent = (line: LineOptions, localAddress: string) => Promise<UserAgent>

/** Runs the signalling and the media of one line, in a worker thread: work on the main thread cannot delay a frame. */
export async function runLineWorker(options: {
  readonly port: MessagePort
  readonly data: LineWorkerData
  readonly openAgent: OpenAgent
}): Promise<void> {
  const { port, data, openAgent } = options
  const { line, sampleRateHz, pacingCells } = data
  const { trunk, mediaPorts, codecs = ALL_CODECS } = line
  const localAddress = line.localAddress ?? (await findLocalAddress(trunk.host))
  const { advertisedAddress = localAddress } = line
  const isSecret = trunk.srtp === 'required'
  const report = (message: LineReport | LineWorkerReport) => port.postMessage(message)

  const agent = await openAgent(line, localAddress)
  const calls = createSipCalls({
    sampleRateHz,
    agent,
    openMedia: () =>
      createMediaSession({
        localAddress,
        ...(mediaPorts && { portRange: mediaPorts }),
        sampleRateHz,
        clock: systemClock,
        randomBytes,
        openSocket: openUdpSocket,
      }),
    describe: ({ localPort }) =>
      offerAudio({
        address: advertisedAddress,
        port: localPort,
        codecs,
        ...(isSecret && { srtp: createSrtpKey() }),
      }),
    clock: systemClock,
    epochMs: Date.now,
    pacingCells,
    emit: (id, event) => report({ type: 'event', id, event }),
    onIdle: () => pacer.stop(),
  })
  const pacer = createPacer({ intervalMs: FRAME_MS, onTick: calls.tick, monotonicMs: systemClock.nowMs })

  port.on('message', (command: LineCommand | LineWorkerCommand) => {
    switch (command.type) {
      case 'dial':
        calls.dial(command.request)
        return pacer.start()
      case 'hang_up':
        return calls.hangUp(command.id)
      case 'start':
        return
      case 'close':
        void agent.close().then(() => report({ type: 'closed' }))
    }
  })
}
