import { randomBytes } from 'node:crypto'
import { createPacer } from '@vaani/telephony/line'
import type { Trunk } from '../agent/user-agent.ts'
import { systemClock } from '../clock.ts'
import { createMediaSession } from '../media/create-media-session.ts'
import { openUdpSocket } from '../media/udp-socket.ts'
import { buildResponse } from '../message/build.ts'
import { headerOf } from '../message/message.ts'
import { type NameAddr, tagOf } from '../message/name-addr.ts'
import { numberCalled } from '../message/number-of.ts'
import { serializeUri } from '../message/uri.ts'
import type { CodecName } from '../sdp/description.ts'
import { createTransactions } from '../transaction/create-transactions.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'
import type { TransportName } from '../transport/flow.ts'
import { openTransport } from '../transport/open-transport.ts'
import { behaviourAt } from './phone-behaviour.ts'
import { PhoneDialog } from './phone-dialog.ts'
import { SoftphoneCall } from './softphone-call.ts'

const LOCALHOST = '127.0.0.1'
const FRAME_MS = 20

/** Settings of {@link createSoftphone}. */
export interface SoftphoneOptions {
  readonly transport?: Extract<TransportName, 'udp' | 'tcp'>
  /** How long the phone rings before it answers. Default 1000. */
  readonly ringMs?: number
  /** Codecs that it knows. Default all of ours. */
  readonly codecs?: readonly CodecName[]
  /** Gets each frame that a call hears: 20 ms at 16 kHz, valid only during the call. */
  readonly hear?: (callId: string, frame: Int16Array) => void
}

/** A phone on this machine, at a port of 127.0.0.1. It is a simulator: no real phone rings. */
export interface Softphone {
  /** Takes calls like a trunk. */
  readonly trunk: Trunk
  /** Hangs up all calls and closes the sockets. */
  close(): Promise<void>
}

/**
 * Starts a softphone that takes calls over SIP and RTP, and behaves at the numbers of `LOOPBACK_TEST_NUMBERS` as the loopback
 * phone does. It lets a carrier be tried without a trunk.
 *
 * @example
 * const phone = await createSoftphone()
 * const carrier = createSipCarrier({ name: 'simulator', trunk: phone.trunk })
 */
export async function createSoftphone(options: SoftphoneOptions = {}): Promise<Softphone> {
  const { transport: name = 'udp', ringMs = 1000, codecs, hear } = options
  const clock = systemClock
  const transport = await openTransport({ clock, address: LOCALHOST, [name]: { port: 0 } })
  const transactions = createTransactions({ transport, clock })
  const { host, port } = transport.localAddress(name)
  const contact = contactOf(host, port, name)
  const calls = new Map<string, { readonly call: SoftphoneCall; readonly invite: ServerTransaction }>()
  /** INVITEs that were canceled, perhaps before their media was ready. */
  const canceled = new WeakSet<ServerTransaction>()
  const pacer = createPacer({
    intervalMs: FRAME_MS,
    monotonicMs: clock.nowMs,
    onTick() {
      for (const { call } of calls.values()) call.tick()
    },
  })

  const take = async (invite: ServerTransaction) => {
    const dialog = new PhoneDialog({ invite: invite.request, peer: invite.from, contact })
    const { callId } = dialog
    const media = await createMediaSession({
      localAddress: host,
      clock,
      randomBytes,
      openSocket: openUdpSocket,
    })
    const call = new SoftphoneCall({
      invite,
      dialog,
      behaviour: behaviourAt(numberCalled(invite.request)),
      ringMs,
      media,
      localAddress: host,
      codecs,
      transactions,
      clock,
      hear: (frame) => hear?.(callId, frame),
      onEnded() {
        calls.delete(callId)
        if (calls.size === 0) pacer.stop()
      },
    })
    calls.set(callId, { call, invite })
    pacer.start()
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
    trunk: { host, port, transport: name },
    async close() {
      for (const { call } of calls.values()) call.hangUp()
      pacer.stop()
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
