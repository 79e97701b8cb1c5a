import { randomBytes } from 'node:crypto'
import type { Trunk } from '../agent/user-agent.ts'
import type { Clock } from '../clock.ts'
import { createMediaSession } from '../media/create-media-session.ts'
import type { OpenUdpSocket } from '../media/udp-socket.ts'
import { buildResponse } from '../message/build.ts'
import { headerOf } from '../message/message.ts'
import { type NameAddr, tagOf } from '../message/name-addr.ts'
import { numberCalled } from '../message/number-of.ts'
import { serializeUri } from '../message/uri.ts'
import type { CodecName } from '../sdp/description.ts'
import { createTransactions } from '../transaction/create-transactions.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'
import type { Transport, TransportName } from '../transport/flow.ts'
import { withFaults } from './faulty-socket.ts'
import { behaviourAt } from './phone-behaviour.ts'
import { PhoneDialog } from './phone-dialog.ts'
import type { PhoneBehaviour } from './simulator-numbers.ts'
import { SoftphoneCall } from './softphone-call.ts'

/** Settings and surroundings of {@link openPhone}. */
export interface PhoneOptions {
  /** The socket that it takes calls at. Closed with the phone. */
  readonly transport: Transport
  readonly transportName: Extract<TransportName, 'udp' | 'tcp'>
  readonly clock: Clock
  readonly openSocket: OpenUdpSocket
  /** Rate of what it hears and says. Default 16,000. */
  readonly sampleRateHz?: number
  /** How long it rings before it answers. */
  readonly ringMs: number
  readonly codecs?: readonly CodecName[] | undefined
  readonly hear?: ((callId: string, frame: Int16Array) => void) | undefined
  /** Called at the first call after a pause. */
  readonly onBusy?: () => void
  /** Called when the last call has ended. */
  readonly onIdle?: () => void
}

/** A phone that takes any number of calls. Its time is that of its clock, and its media that of `tick`. */
export interface Phone {
  readonly trunk: Trunk & { readonly port: number }
  /** Advances the media of every call by 20 ms. */
  tick(): void
  /** Hangs up all calls and closes the transport. */
  close(): Promise<void>
}

/** Opens a phone that behaves at `SIMULATOR_NUMBERS` as they say. */
export function openPhone(options: PhoneOptions): Phone {
  const { transport, transportName, clock, ringMs, codecs, hear, onBusy, onIdle } = options
  const transactions = createTransactions({ transport, clock })
  const { host, port } = transport.localAddress(transportName)
  const contact = contactOf(host, port, transportName)
  const calls = new Map<string, { readonly call: SoftphoneCall; readonly invite: ServerTransaction }>()
  /** INVITEs that were canceled, perhaps before their media was ready. */
  const canceled = new WeakSet<ServerTransaction>()

  const openMedia = ({ line: faults }: PhoneBehaviour) => {
    const { openSocket, sampleRateHz = 16_000 } = options
    const open = faults ? withFaults(openSocket, { faults, clock, random: Math.random }) : openSocket
    return createMediaSession({
      localAddress: host,
      sampleRateHz,
      clock,
      randomBytes,
      openSocket: open,
      hasOpus: codecs?.includes('opus') ?? false,
    })
  }
  const take = async (invite: ServerTransaction) => {
    const dialog = new PhoneDialog({ invite: invite.request, peer: invite.from, contact })
    const { callId } = dialog
    const behaviour = behaviourAt(numberCalled(invite.request))
    const call = new SoftphoneCall({
      invite,
      dialog,
      behaviour,
      ringMs,
      media: await openMedia(behaviour),
      localAddress: host,
      codecs,
      transactions,
      clock,
      hear: (frame) => hear?.(callId, frame),
      onEnded() {
        calls.delete(callId)
        if (calls.size === 0) onIdle?.()
      },
    })
    calls.set(callId, { call, invite })
    if (calls.size === 1) onBusy?.()
    if (canceled.has(invite)) call.cancel()
    else call.start()
  }

  transactions.onRequest((transaction) => {
    const { request } = transaction
    const known = calls.get(headerOf(request, 'call-id') ?? '')
    if (known) known.call.take(transaction)
    else if (request.method === 'INVITE' && tagOf(headerOf(request, 'to') ?? '') === undefined)
      void take(transaction).catch(() => refuse(transaction, 500))
    else refuse(transaction, request.method === 'OPTIONS' ? 200 : 481)
  })
  transactions.onCancel((invite) => {
    canceled.add(invite)
    for (const known of calls.values()) if (known.invite === invite) known.call.cancel()
  })

  return {
    trunk: { host, port, transport: transportName },
    tick() {
      for (const { call } of calls.values()) call.tick()
    },
    async close() {
      for (const { call } of calls.values()) call.hangUp()
      transactions.close()
      await transport.close()
    },
  }
}

function contactOf(host: string, port: number, transport: TransportName): NameAddr {
  const parameters = [['transport', transport]] as const
  return {
    uri: serializeUri({ scheme: 'sip', user: 'phone', host, port, parameters, headers: [] }),
    parameters: [],
  }
}

function refuse(transaction: ServerTransaction, status: number): void {
  transaction.respond(buildResponse(transaction.request, { status, toTag: randomBytes(8).toString('hex') }))
}
