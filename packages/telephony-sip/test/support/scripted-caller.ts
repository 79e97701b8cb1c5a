import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/clock.ts'
import { createMediaSession } from '../../src/media/create-media-session.ts'
import type { MediaSession } from '../../src/media/media-session.ts'
import { offerAudio } from '../../src/media/offer-audio.ts'
import { openUdpSocket } from '../../src/media/udp-socket.ts'
import { buildRequest } from '../../src/message/build.ts'
import { headerOf } from '../../src/message/message.ts'
import type { SipRequest, SipResponse } from '../../src/message/message.ts'
import { parseNameAddr } from '../../src/message/name-addr.ts'
import { readAnswer } from '../../src/sdp/offer-answer.ts'
import { parseAudio } from '../../src/sdp/parse-audio.ts'
import { writeAudio } from '../../src/sdp/write-audio.ts'
import { createTransactions } from '../../src/transaction/create-transactions.ts'
import type { ClientTransaction } from '../../src/transaction/transactions.ts'
import type { Peer } from '../../src/transport/flow.ts'
import { openTransport } from '../../src/transport/open-transport.ts'

/** A caller without rules of its own: each test sends what it wants to try. */
export interface ScriptedCaller {
  readonly media: MediaSession
  /** Calls a number. Resolves with the final response. */
  invite(number: string, onProvisional?: (status: number) => void): Promise<SipResponse>
  cancel(): void
  /** Acknowledges a 2xx, and agrees on its media. */
  acknowledge(answer: SipResponse): void
  /** Sends a request within the dialog. Resolves with its final response. */
  send(method: string, answer: SipResponse): Promise<SipResponse>
  /** Resolves with the next request of the other side, which gets a 200. */
  nextRequest(): Promise<SipRequest>
}

const toRequest = (number: string, peer: Peer) => ({
  uri: `sip:${number}@${peer.address}:${peer.port}`,
  from: { uri: 'sip:+15550100@127.0.0.1', parameters: [['tag', 'caller']] as const },
  to: { uri: `sip:${number}@127.0.0.1`, parameters: [] },
  callId: randomBytes(8).toString('hex'),
})

/** Opens a caller over UDP and a function that closes it. */
export async function openScriptedCaller(
  peer: Peer,
): Promise<{ readonly caller: ScriptedCaller; close(): Promise<void> }> {
  const clock = systemClock
  const transport = await openTransport({ clock, address: '127.0.0.1', udp: { port: 0 } })
  const transactions = createTransactions({ transport, clock })
  const { host, port } = transport.localAddress('udp')
  const media = await createMediaSession({
    localAddress: host,
    clock,
    randomBytes,
    openSocket: openUdpSocket,
  })
  const offer = offerAudio({ address: host, port: media.localPort, codecs: ['PCMU'] })
  const contact = { uri: `sip:caller@${host}:${port}`, parameters: [] }
  let parts = toRequest('', peer)
  let invite: ClientTransaction | undefined
  let sequence = 1
  const requests: SipRequest[] = []
  let wake = () => {}
  transactions.onRequest((transaction) => {
    transaction.respond({
      kind: 'response',
      status: 200,
      reason: 'OK',
      headers: transaction.request.headers.filter(([name]) => name !== 'content-type'),
      body: new Uint8Array(),
    })
    requests.push(transaction.request)
    wake()
  })

  const answeredParts = (answer: SipResponse) => ({
    ...parts,
    uri: parseNameAddr(headerOf(answer, 'contact') ?? '').uri,
    to: parseNameAddr(headerOf(answer, 'to') ?? ''),
  })
  const request = (sent: SipRequest, onProvisional: (status: number) => void = () => {}) =>
    new Promise<SipResponse>((resolve, reject) => {
      const transaction = transactions.request(sent, peer, {
        onProvisional: ({ status }) => onProvisional(status),
        onFinal: resolve,
        onFailure: (failure) => reject(new Error(failure)),
      })
      if (sent.method === 'INVITE') invite = transaction
    })

  const caller: ScriptedCaller = {
    media,
    invite(number, onProvisional) {
      parts = toRequest(number, peer)
      const body = new TextEncoder().encode(writeAudio(offer, { sessionId: 1, version: 1 }))
      const headers = [['content-type', 'application/sdp']] as const
      return request(
        buildRequest({ ...parts, method: 'INVITE', sequence, contact, headers, body }),
        onProvisional,
      )
    },
    cancel() {
      const ignore = () => {}
      if (invite) transactions.cancel(invite, { onProvisional: ignore, onFinal: ignore, onFailure: ignore })
    },
    acknowledge(answer) {
      media.agree(readAnswer(offer, parseAudio(new TextDecoder().decode(answer.body))))
      transactions.acknowledge(buildRequest({ ...answeredParts(answer), method: 'ACK', sequence }), peer)
    },
    send(method, answer) {
      sequence += 1
      return request(buildRequest({ ...answeredParts(answer), method, sequence }))
    },
    async nextRequest() {
      for (;;) {
        const next = requests.shift()
        if (next) return next
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
  const close = async () => {
    media.close()
    transactions.close()
    await transport.close()
  }
  return { caller, close }
}
