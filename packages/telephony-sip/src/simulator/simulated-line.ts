import { randomBytes } from 'node:crypto'
import type { WorkerCallRequest } from '@vaani/telephony/line'
import { createUserAgent } from '../agent/create-user-agent.ts'
import type { Clock } from '../clock.ts'
import { calleeOf } from '../line/sip-call.ts'
import { createSipCalls, type SipCalls, type SipCallsOptions } from '../line/sip-calls.ts'
import { createMediaSession } from '../media/create-media-session.ts'
import { offerAudio } from '../media/offer-audio.ts'
import type { OpenUdpSocket } from '../media/udp-socket.ts'
import type { CodecName } from '../sdp/description.ts'
import { openPhone } from '../softphone/open-phone.ts'
import { createTransactions } from '../transaction/create-transactions.ts'
import { openTransport, type TransportOptions } from '../transport/open-transport.ts'

/** Where calls of the simulator take place. */
export interface SimulatedPlace {
  readonly clock: Clock
  readonly openSocket: OpenUdpSocket
  /** Default: sockets of the system. */
  readonly openDatagrams?: Exclude<TransportOptions['openDatagrams'], undefined>
}

const LOCALHOST = '127.0.0.1'
/** The codec of most trunks, and the cheapest. */
const CODECS: readonly CodecName[] = ['PCMU']
/** The phone hears at the rate of the codec, which spares it conversions. */
const CODEC_RATE_HZ = 8000

/** Both ends of a line. */
export interface SimulatedLine extends Omit<SipCalls, 'begin'> {
  dial(request: WorkerCallRequest): void
}

/** Opens both ends of a line: a user agent, as for any trunk, and the phone that it calls. */
export async function openSimulatedLine(
  options: SimulatedPlace & {
    readonly ringMs: number
    /** Clock of the gaps between frames. */
    readonly pacingClock: Pick<Clock, 'nowMs'>
  } & Pick<SipCallsOptions, 'sampleRateHz' | 'pacingCells' | 'epochMs' | 'emit' | 'onIdle'>,
): Promise<SimulatedLine> {
  const { clock, openSocket, openDatagrams, ringMs, pacingClock, ...callOptions } = options
  const open = () =>
    openTransport({ clock, address: LOCALHOST, udp: { port: 0 }, ...(openDatagrams && { openDatagrams }) })
  const phone = openPhone({
    transport: await open(),
    transportName: 'udp',
    clock,
    openSocket,
    ringMs,
    sampleRateHz: CODEC_RATE_HZ,
  })
  const { host: address, port } = phone.trunk
  const transport = await open()
  const agent = createUserAgent({
    trunk: { ...phone.trunk, keepAlive: false },
    transport,
    transactions: createTransactions({ transport, clock }),
    clock,
    findPeers: async () => [{ transport: 'udp', address, port }],
  })
  const calls = createSipCalls({
    ...callOptions,
    clock: pacingClock,
    openMedia: () =>
      createMediaSession({
        localAddress: address,
        sampleRateHz: options.sampleRateHz,
        clock,
        randomBytes,
        openSocket,
      }),
    describe: ({ localPort }) => offerAudio({ address, port: localPort, codecs: CODECS }),
  })
  return {
    ...calls,
    dial: (request) => calls.begin(request, calleeOf(agent, request)),
    tick() {
      calls.tick()
      phone.tick()
    },
  }
}
