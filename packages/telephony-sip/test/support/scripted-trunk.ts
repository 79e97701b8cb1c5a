import { createUserAgent } from '../../src/agent/create-user-agent.ts'
import type { LineCallRequest, Trunk } from '../../src/agent/user-agent.ts'
import type { LineCallListener } from '../../src/dialog/line-call.ts'
import { buildRequest, buildResponse, type ResponseParts } from '../../src/message/build.ts'
import {
  headerOf,
  type Headers,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../../src/message/message.ts'
import { parseNameAddr } from '../../src/message/name-addr.ts'
import type { AudioDescription } from '../../src/sdp/description.ts'
import { writeAudio } from '../../src/sdp/write-audio.ts'
import { createTransactions } from '../../src/transaction/create-transactions.ts'
import type { ServerTransaction } from '../../src/transaction/transactions.ts'
import type { Peer } from '../../src/transport/flow.ts'
import { createLossyNetwork, type NetworkOptions } from '../lossy-transport.ts'
import { createManualClock } from '../manual-clock.ts'
import { seededRandom } from '../seeded-random.ts'

export const US: Peer = { transport: 'udp', address: '192.0.2.1', port: 5060 }
export const TRUNK: Peer = { transport: 'udp', address: '192.0.2.2', port: 5060 }
export const SECOND_TRUNK: Peer = { transport: 'udp', address: '192.0.2.3', port: 5060 }

export const AUDIO: AudioDescription = {
  address: '192.0.2.1',
  port: 4000,
  codecs: [{ name: 'PCMU', payloadType: 0 }],
  telephoneEvent: 101,
  direction: 'sendrecv',
  packetMs: 20,
}

export const CALL: LineCallRequest = {
  to: '+9779812345678',
  fromCallerId: '+9779800000000',
  ringTimeoutMs: 45_000,
  maxDurationMs: 900_000,
  offer: AUDIO,
}

/** Parts of a response that carries a session description. */
export const withAudio = (
  changes: Partial<AudioDescription> = {},
): Pick<ResponseParts, 'headers' | 'body'> => ({
  headers: [
    ['content-type', 'application/sdp'],
    ['contact', '<sip:callee@192.0.2.2:5060>'],
  ],
  body: new TextEncoder().encode(
    writeAudio({ ...AUDIO, address: '192.0.2.9', port: 6000, ...changes }, { sessionId: 1, version: 1 }),
  ),
})

export type Script = (transaction: ServerTransaction, respond: Respond) => void
export type Respond = (status: number, parts?: Omit<ResponseParts, 'status'>) => void

/** Opens a user agent and its trunk, in memory, on a clock that stands still. @param script what the trunk does with a request */
export function openScriptedTrunk(
  script: Script,
  { peers = [TRUNK], trunk = {}, ...network }: OpenOptions = {},
) {
  const clock = createManualClock()
  const net = createLossyNetwork({ clock, ...network })
  const transport = net.open(US)
  const agent = createUserAgent({
    trunk: { host: 'trunk.example', transport: 'udp', keepAlive: false, ...trunk },
    transport,
    transactions: createTransactions({ transport, clock }),
    clock,
    findPeers: async () => peers,
    random: seededRandom(7),
  })
  const trunks = [TRUNK, SECOND_TRUNK].map((peer) => createTransactions({ transport: net.open(peer), clock }))
  const acks: SipRequest[] = []
  for (const transactions of trunks) {
    transactions.onAcknowledge((ack) => acks.push(ack))
    transactions.onRequest((transaction) =>
      script(transaction, (status, parts) =>
        transaction.respond(buildResponse(transaction.request, { toTag: 'theirs', ...parts, status })),
      ),
    )
    transactions.onCancel((invite) => {
      invite.respond(buildResponse(invite.request, { status: 487, toTag: 'theirs' }))
    })
  }
  /** Methods of the requests that we sent, without repetitions. */
  const asked = () => [
    ...new Map(
      net.sent.flatMap((message) =>
        message.kind === 'request'
          ? [[`${headerOf(message, 'via')} ${message.method}`, message] as const]
          : [],
      ),
    ).values(),
  ]
  /** Sends us a message past the transactions of the trunk, as a fork's response comes. */
  const send = (message: SipMessage) => net.open(SECOND_TRUNK).send(message, US)
  return {
    clock,
    agent,
    trunk: trunks[0] ?? raise(),
    second: trunks[1] ?? raise(),
    acks,
    sent: net.sent,
    asked,
    send,
  }
}

interface OpenOptions extends Omit<NetworkOptions, 'clock'> {
  readonly peers?: readonly Peer[]
  readonly trunk?: Partial<Trunk>
}

const raise = (): never => {
  throw new Error('There is a trunk')
}

/** Listens to a call, and writes down what it hears. */
export function listen() {
  const heard: string[] = []
  const listener: LineCallListener = {
    onRinging: () => heard.push('ringing'),
    onMedia: ({ direction }) => heard.push(`media ${direction}`),
    onAnswered: () => heard.push('answered'),
    onKey: (digit) => heard.push(`key ${digit}`),
    onEnded: ({ outcome, endedBy, sipStatus, q850Cause, retryAfterSeconds }) =>
      heard.push(
        ['ended', outcome, endedBy, sipStatus, q850Cause, retryAfterSeconds].filter(Boolean).join(' '),
      ),
  }
  return { heard, listener }
}

/** Makes a request of the far end within the dialog of an INVITE that it answered with the tag `theirs`. */
export const theirRequest = (
  invite: SipRequest,
  method: string,
  sequence: number,
  parts: { readonly headers?: Headers; readonly body?: Uint8Array } = {},
): SipRequest => {
  const to = parseNameAddr(headerOf(invite, 'to') ?? '')
  return buildRequest({
    method,
    uri: parseNameAddr(headerOf(invite, 'contact') ?? '').uri,
    from: { ...to, parameters: [['tag', 'theirs']] },
    to: parseNameAddr(headerOf(invite, 'from') ?? ''),
    callId: headerOf(invite, 'call-id') ?? '',
    sequence,
    ...parts,
  })
}

/** Collects the final responses to a request of the far end. */
export function collect(finals: SipResponse[]) {
  return {
    onProvisional() {},
    onFinal: (response: SipResponse) => void finals.push(response),
    onFailure() {},
  }
}
