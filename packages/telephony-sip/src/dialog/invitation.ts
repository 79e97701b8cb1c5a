import { headerOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import { parseCSeq } from '../message/cseq.ts'
import { tagOf } from '../message/name-addr.ts'
import type { AgreedAudio } from '../sdp/description.ts'
import { SdpError } from '../sdp/sdp-error.ts'
import type {
  ClientTransactionUser,
  ServerTransaction,
  TransactionFailure,
} from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import { ask, type Asked } from './ask.ts'
import { authorizationOf } from './authorization-of.ts'
import { Dialog, type SequenceCounter } from './dialog.ts'
import { type EarlyDialog, EarlyDialogs, reliableSequenceOf } from './early-dialogs.ts'
import type { Line } from './line.ts'
import type { Negotiation } from './negotiation.ts'
import { peerAt } from './next-hop.ts'
import { respond } from './respond.ts'
import { takeOffer } from './take-offer.ts'

/** A dialog that a 2xx has confirmed. */
export interface Confirmed {
  readonly dialog: Dialog
  readonly response: SipResponse
  /** What was agreed before the answer, unless the answer itself says it. */
  readonly agreed: AgreedAudio | undefined
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
  #mayCancel = false
  #cancel: 'no' | 'wanted' | 'sent' = 'no'
  #isOver = false
  #byes = 0
  /** ACKs of each fork's 2xx, by its tag, to repeat when the 2xx is repeated (13.2.2.4). */
  readonly #acks = new Map<string | undefined, { readonly ack: SipRequest; readonly peer: Peer }>()
  readonly #early = new EarlyDialogs((response) => this.#dialogWith(response))

  constructor(options: InvitationOptions) {
    this.#options = options
    const { line, peer, counter, makeInvite } = options
    this.#asked = ask(line, {
      peer,
      make: (headers) => {
        // No response has come to this one yet.
        this.#mayCancel = false
        return makeInvite(counter.next(), headers)
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

  /** Takes an UPDATE within an early dialog (RFC 3311). Returns false for any other request, which has no place there. */
  take(transaction: ServerTransaction): boolean {
    const { request } = transaction
    const early = this.#isOver || request.method !== 'UPDATE' ? undefined : this.#early.owning(request)
    if (!early) return false
    if (early.dialog.takeSequence(request)) this.#takeUpdate(transaction, early)
    else respond(transaction, 500)
    return true
  }

  #takeUpdate(transaction: ServerTransaction, early: EarlyDialog): void {
    const { request } = transaction
    // The offer of our INVITE is still open (RFC 3311, section 5.2). We answer theirs at once, so that none of them is ever open.
    if (request.body.length > 0 && !early.isAnswered) return respond(transaction, 491)
    const accepted = takeOffer(request, this.#options)
    if (!accepted) return respond(transaction, 488)
    const { agreed, ...parts } = accepted
    early.dialog.refreshTarget(request)
    respond(transaction, 200, parts)
    if (!agreed) return
    early.agreed = agreed
    this.#options.user.onEarlyMedia(agreed)
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
    const early = this.#early.enter(response)
    const rseq = reliableSequenceOf(response)
    if (early && rseq !== undefined) {
      // A repeated or misordered one.
      if (early.rseq !== undefined && rseq !== early.rseq + 1) return
      this.#acknowledgeReliable(response, early, rseq)
    }
    if (this.#cancel !== 'no') return
    this.#options.user.onRinging()
    if (response.body.length > 0) this.#takeEarlyMedia(response, early, rseq !== undefined)
  }

  #takeEarlyMedia(response: SipResponse, early: EarlyDialog | undefined, isReliable: boolean): void {
    // Only the first answer is one (13.2.1).
    if (early?.isAnswered) return
    try {
      const agreed = this.#options.negotiation.accept(response.body)
      if (early) Object.assign(early, { agreed, isAnswered: isReliable })
      this.#options.user.onEarlyMedia(agreed)
    } catch (error) {
      // The answer decides, and may be better.
      if (!(error instanceof SdpError)) throw error
    }
  }

  /** Sends the PRACK of a reliable provisional response (RFC 3262). */
  #acknowledgeReliable(response: SipResponse, early: EarlyDialog, rseq: number): void {
    const { line, peer } = this.#options
    const { sequence } = parseCSeq(headerOf(response, 'cseq') ?? '')
    early.rseq = rseq
    ask(line, {
      peer: peerAt(early.dialog.nextHop, peer),
      make: (headers) =>
        early.dialog.request('PRACK', { headers: [['rack', `${rseq} ${sequence} INVITE`], ...headers] }),
      user: IGNORE,
    })
  }

  #dialogWith(response: SipResponse): Dialog {
    const { line, counter } = this.#options
    return Dialog.ofCaller(this.#asked.transaction().request, response, { contact: line.contact, counter })
  }

  #takeFinal(response: SipResponse): void {
    if (response.status >= 300) return this.#refuse(response)
    const tag = remoteTagOf(response)
    const known = this.#acks.get(tag)
    if (known) return this.#options.line.transactions.acknowledge(known.ack, known.peer)
    const early = this.#early.confirm(response)
    const dialog = early?.dialog ?? this.#dialogWith(response)
    this.#acknowledge(tag, dialog, response)
    const isWanted = !this.#isOver && this.#cancel === 'no'
    if (!isWanted) this.#hangUp(dialog)
    if (this.#isOver) return
    this.#isOver = true
    // After a reliable answer, the 2xx has none, or a copy (13.2.1).
    const agreed = early?.isAnswered || response.body.length === 0 ? early?.agreed : undefined
    if (isWanted) this.#options.user.onAnswered({ dialog, response, agreed })
    else this.#options.user.onRefused(response)
    this.#settle()
  }

  #acknowledge(tag: string | undefined, dialog: Dialog, response: SipResponse): void {
    const { sequence } = parseCSeq(headerOf(response, 'cseq') ?? '')
    const ack = dialog.request('ACK', {
      sequence,
      headers: authorizationOf(this.#asked.transaction().request),
    })
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
