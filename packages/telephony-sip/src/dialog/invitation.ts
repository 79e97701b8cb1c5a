import { headerOf, headersOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import { parseCSeq } from '../message/cseq.ts'
import { tagOf } from '../message/name-addr.ts'
import { readRSeq } from '../message/numeric-headers.ts'
import type { AgreedAudio } from '../sdp/description.ts'
import { SdpError } from '../sdp/sdp-error.ts'
import type { ClientTransactionUser, TransactionFailure } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import { ask, type Asked } from './ask.ts'
import { Dialog, type SequenceCounter } from './dialog.ts'
import type { Line } from './line.ts'
import type { Negotiation } from './negotiation.ts'
import { peerAt } from './next-hop.ts'

/** A dialog that a 2xx has confirmed. */
export interface Confirmed {
  readonly dialog: Dialog
  readonly response: SipResponse
}

/** What the user of an invitation hears. After `onAnswered` or `onRefused` nothing more. */
export interface InvitationUser {
  /** The far end rings, or a machine on the way speaks. */
  onRinging(): void
  onEarlyMedia(audio: AgreedAudio): void
  /** The first 2xx, which was acknowledged. */
  onAnswered(confirmed: Confirmed): void
  onRefused(refusal: SipResponse | TransactionFailure): void
}

export interface InvitationOptions {
  readonly line: Line
  readonly peer: Peer
  readonly counter: SequenceCounter
  readonly negotiation: Negotiation
  /** Makes the INVITE. */
  makeInvite(sequence: number, headers: Headers): SipRequest
  readonly user: InvitationUser
  /** Called when nothing of the invitation is left to do: no CANCEL, and no BYE of a lost fork. */
  onSettled(): void
}

const IGNORE: ClientTransactionUser = { onProvisional() {}, onFinal() {}, onFailure() {} }

/** One INVITE to one peer of the trunk, until it is answered or refused. */
export class Invitation {
  readonly #options: InvitationOptions
  readonly #asked: Asked
  #invite: SipRequest | undefined
  #mayCancel = false
  #cancel: 'no' | 'wanted' | 'sent' = 'no'
  #isOver = false
  #byes = 0
  /** ACKs of each fork's 2xx, by its tag, to repeat when the 2xx is repeated (13.2.2.4). */
  readonly #acks = new Map<string | undefined, { readonly ack: SipRequest; readonly peer: Peer }>()
  readonly #early = new Map<string | undefined, { readonly dialog: Dialog; rseq: number }>()

  constructor(options: InvitationOptions) {
    this.#options = options
    const { line, peer, counter, makeInvite } = options
    this.#asked = ask(line, {
      peer,
      make: (headers) => {
        // No response has come to this one yet.
        this.#mayCancel = false
        return (this.#invite = makeInvite(counter.next(), headers))
      },
      mayRepeat: () => this.#cancel === 'no',
      user: {
        onProvisional: (response) => this.#takeProvisional(response),
        onFinal: (response) => this.#takeFinal(response),
        onFailure: (failure) => this.#refuse(failure),
      },
    })
  }

  /** Whether the peer has responded to the INVITE in any way. */
  get hasResponse(): boolean {
    return this.#mayCancel
  }

  /** Gives up. A 2xx that crosses the CANCEL is acknowledged and hung up. */
  cancel(): void {
    if (this.#isOver || this.#cancel !== 'no') return
    this.#cancel = 'wanted'
    if (this.#mayCancel) this.#sendCancel()
  }

  #sendCancel(): void {
    this.#cancel = 'sent'
    this.#options.line.transactions.cancel(this.#asked.transaction(), IGNORE)
  }

  #takeProvisional(response: SipResponse): void {
    // A CANCEL that overtakes the INVITE finds nothing to cancel: only a response shows that it has arrived (9.1).
    this.#mayCancel = true
    if (this.#cancel === 'wanted') this.#sendCancel()
    if (response.status === 100 || this.#isOver) return
    const isNew = this.#acknowledgeReliable(response)
    if (!isNew || this.#cancel !== 'no') return
    this.#options.user.onRinging()
    if (response.body.length > 0) this.#takeEarlyMedia(response)
  }

  #takeEarlyMedia(response: SipResponse): void {
    try {
      this.#options.user.onEarlyMedia(this.#options.negotiation.accept(response.body))
    } catch (error) {
      // The answer decides, and may be better.
      if (!(error instanceof SdpError)) throw error
    }
  }

  /** Sends the PRACK of a reliable provisional response (RFC 3262). Returns false for a repeated or misordered one. */
  #acknowledgeReliable(response: SipResponse): boolean {
    const isReliable = headersOf(response, 'require').some((value) => value.toLowerCase() === '100rel')
    const rseq = readRSeq(headerOf(response, 'rseq') ?? '')
    const tag = remoteTagOf(response)
    if (!isReliable || rseq === undefined || tag === undefined) return true
    const known = this.#early.get(tag)
    if (known && rseq !== known.rseq + 1) return false
    const early = known ?? { dialog: this.#dialogWith(response), rseq }
    early.rseq = rseq
    this.#early.set(tag, early)
    const { line, peer } = this.#options
    const { sequence } = parseCSeq(headerOf(response, 'cseq') ?? '')
    ask(line, {
      peer: peerAt(early.dialog.nextHop, peer),
      make: (headers) =>
        early.dialog.request('PRACK', { headers: [['rack', `${rseq} ${sequence} INVITE`], ...headers] }),
      user: IGNORE,
    })
    return true
  }

  #dialogWith(response: SipResponse): Dialog {
    const { line, counter } = this.#options
    return new Dialog({ invite: this.#asked.transaction().request, response, contact: line.contact, counter })
  }

  #takeFinal(response: SipResponse): void {
    if (response.status >= 300) return this.#refuse(response)
    const tag = remoteTagOf(response)
    const known = this.#acks.get(tag)
    if (known) return this.#options.line.transactions.acknowledge(known.ack, known.peer)
    const dialog = this.#dialogWith(response)
    this.#acknowledge(tag, dialog, response)
    const isWanted = !this.#isOver && this.#cancel === 'no'
    if (!isWanted) this.#hangUp(dialog)
    if (this.#isOver) return
    this.#isOver = true
    if (isWanted) this.#options.user.onAnswered({ dialog, response })
    else this.#options.user.onRefused(response)
    this.#settle()
  }

  #acknowledge(tag: string | undefined, dialog: Dialog, response: SipResponse): void {
    const { sequence } = parseCSeq(headerOf(response, 'cseq') ?? '')
    const ack = dialog.request('ACK', { sequence, headers: authorizationOf(this.#invite) })
    const peer = peerAt(dialog.nextHop, this.#options.peer)
    this.#acks.set(tag, { ack, peer })
    this.#options.line.transactions.acknowledge(ack, peer)
  }

  /** Ends a dialog that nobody wants: of a second fork, or of an answer that crossed the CANCEL. */
  #hangUp(dialog: Dialog): void {
    const { line, peer } = this.#options
    this.#byes += 1
    const done = () => {
      this.#byes -= 1
      this.#settle()
    }
    ask(line, {
      peer: peerAt(dialog.nextHop, peer),
      make: (headers) => dialog.request('BYE', { headers }),
      user: { onProvisional() {}, onFinal: done, onFailure: done },
    })
  }

  #refuse(refusal: SipResponse | TransactionFailure): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.user.onRefused(refusal)
    this.#settle()
  }

  #settle(): void {
    if (this.#isOver && this.#byes === 0) this.#options.onSettled()
  }
}

const remoteTagOf = (response: SipResponse): string | undefined => tagOf(headerOf(response, 'to') ?? '')

/** An ACK carries the credentials of its INVITE (22.1). */
const authorizationOf = (invite: SipRequest | undefined): Headers =>
  (invite?.headers ?? []).filter(([name]) => name === 'authorization' || name === 'proxy-authorization')
