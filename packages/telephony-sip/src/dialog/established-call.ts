import { parseCSeq } from '../message/cseq.ts'
import { headerOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import { q850CauseOf } from '../message/reason.ts'
import type { AgreedAudio } from '../sdp/description.ts'
import { SdpError } from '../sdp/sdp-error.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import { ALLOWED } from './allowed.ts'
import { ask } from './ask.ts'
import type { Dialog } from './dialog.ts'
import { readInfoKey } from './info-key.ts'
import type { Line } from './line.ts'
import type { Negotiation } from './negotiation.ts'
import { peerAt } from './next-hop.ts'
import { OwnOffers } from './own-offers.ts'
import { respond } from './respond.ts'
import { MIN_SESSION_SECONDS, SessionTimer } from './session-timer.ts'
import { takeOffer } from './take-offer.ts'

export interface EstablishedCallOptions {
  readonly line: Line
  readonly dialog: Dialog
  /** The 2xx that answered a call of ours. */
  readonly answer?: SipResponse
  /** The peer that the INVITE went to, or came from. */
  readonly trunk: Peer
  readonly negotiation: Negotiation
  /** Shortest session interval that the trunk takes. */
  readonly minimumSessionSeconds: number
  readonly onMedia: (audio: AgreedAudio) => void
  readonly onKey: (digit: string) => void
  /** Called when the far end has hung up. */
  readonly onBye: (q850Cause: number | undefined) => void
  /** Called when the far end has vanished: `bye` must be called. */
  readonly onLost: () => void
  /** Called when the BYE was answered or has timed out. */
  readonly onSettled: () => void
}

/** A call that was answered, until its BYE. */
export class EstablishedCall {
  readonly #options: EstablishedCallOptions
  readonly #timer: SessionTimer
  readonly #ownOffers: OwnOffers
  #state: 'up' | 'over' = 'up'
  /** The transaction of their INVITE that we have answered and they have not acknowledged. */
  #unacknowledged: { readonly sequence: number; readonly awaitsAnswer: boolean } | undefined

  constructor(options: EstablishedCallOptions) {
    this.#options = options
    const { line, dialog, trunk, negotiation, onLost } = options
    this.#timer = new SessionTimer({
      clock: line.clock,
      minimumSeconds: options.minimumSessionSeconds,
      onRefreshDue: () => this.#ownOffers.refresh(),
      onExpired: onLost,
    })
    this.#ownOffers = new OwnOffers({
      line,
      dialog,
      trunk,
      negotiation,
      timer: this.#timer,
      isUp: () => this.#state === 'up',
      isOffered: () => this.#unacknowledged !== undefined,
      accept: (body) => this.#accept(body),
      onLost,
    })
    if (options.answer) this.#timer.takeResponse(options.answer)
  }

  /** Answers the INVITE that began the call. Returns false if it was refused instead, which ends all. */
  answer(invite: ServerTransaction, toTag: string): boolean {
    const isAnswered = this.#takeOffer(invite, toTag)
    if (!isAnswered) this.#end()
    return isAnswered
  }

  /** Hangs up. */
  bye(): void {
    if (this.#state === 'over') return
    this.#end()
    const { line, dialog, onSettled } = this.#options
    ask(line, {
      peer: this.#nextPeer(),
      make: (headers) => dialog.request('BYE', { headers }),
      user: { onProvisional() {}, onFinal: onSettled, onFailure: onSettled },
    })
  }

  setHold(held: boolean): Promise<boolean> {
    return this.#ownOffers.send(held ? 'sendonly' : 'sendrecv')
  }

  /** Takes a request of the far end. Returns false if it does not belong to the dialog. */
  take(transaction: ServerTransaction): boolean {
    const { dialog } = this.#options
    if (!dialog.owns(transaction.request)) return false
    if (dialog.takeSequence(transaction.request)) this.#dispatch(transaction)
    else respond(transaction, 500)
    return true
  }

  #dispatch(transaction: ServerTransaction): void {
    const { request } = transaction
    switch (request.method) {
      case 'BYE':
        return this.#takeBye(transaction)
      case 'INVITE':
      case 'UPDATE':
        return void this.#takeOffer(transaction)
      case 'INFO':
        return this.#takeInfo(transaction)
      case 'OPTIONS':
        return respond(transaction, 200, { headers: ALLOWED })
      // We follow no transfer that the far end asks for.
      case 'REFER':
        return respond(transaction, 603)
      case 'PRACK':
        return respond(transaction, 481)
      default:
        return respond(transaction, 405, { headers: ALLOWED })
    }
  }

  /** Takes the ACK of a re-INVITE of the far end. */
  acknowledge(ack: SipRequest): void {
    const open = this.#unacknowledged
    if (!open || parseCSeq(headerOf(ack, 'cseq') ?? '').sequence !== open.sequence) return
    this.#unacknowledged = undefined
    const isComplete = !open.awaitsAnswer || this.#accept(ack.body)
    // The ACK must answer our offer (13.2.2.4), and no other offer may follow one without an answer (RFC 3264, section 4): nothing but a
    // BYE ends that. A caller who cannot accept the offer hangs up too, but answers it first (14.2).
    if (!isComplete && this.#state === 'up') this.#options.onLost()
  }

  #end(): void {
    this.#state = 'over'
    this.#timer.stop()
  }

  #nextPeer(): Peer {
    return peerAt(this.#options.dialog.nextHop, this.#options.trunk)
  }

  #takeBye(transaction: ServerTransaction): void {
    respond(transaction, 200)
    // Our BYE may have crossed it.
    if (this.#state === 'over') return
    this.#end()
    this.#options.onBye(q850CauseOf(transaction.request))
    this.#options.onSettled()
  }

  #takeInfo(transaction: ServerTransaction): void {
    const key = readInfoKey(transaction.request)
    respond(transaction, 200)
    if (key !== undefined && this.#state === 'up') this.#options.onKey(key)
  }

  /** Takes an INVITE or UPDATE. Returns whether it was accepted. */
  #takeOffer(transaction: ServerTransaction, toTag?: string): boolean {
    const { request } = transaction
    const refuse = (status: number, headers: Headers = []): false => {
      respond(transaction, status, { headers, ...(toTag !== undefined && { toTag }) })
      return false
    }
    if (this.#state === 'over') return refuse(481)
    // Offers that cross are both refused and repeated after a random wait (14.2). An UPDATE without an offer crosses none.
    const isOffer = request.method === 'INVITE' || request.body.length > 0
    if (isOffer && (this.#ownOffers.isOpen || this.#unacknowledged)) return refuse(491)
    const session = this.#timer.answerTo(request)
    if (session === 422) return refuse(422, [['min-se', String(MIN_SESSION_SECONDS)]])
    const { dialog, onMedia } = this.#options
    const accepted = takeOffer(request, this.#options)
    // All stays as it was: the media, the session timer and the remote target (12.2.2, 14.2).
    if (!accepted) return refuse(488)
    const { agreed, headers, ...parts } = accepted
    dialog.refreshTarget(request)
    session.start()
    if (request.method === 'INVITE') this.#awaitAck(transaction, agreed === undefined)
    respond(transaction, 200, {
      ...parts,
      headers: [...headers, ...session.headers],
      ...(toTag !== undefined && { toTag }),
    })
    if (agreed) onMedia(agreed)
    return true
  }

  #awaitAck(transaction: ServerTransaction, awaitsAnswer: boolean): void {
    const { sequence } = parseCSeq(headerOf(transaction.request, 'cseq') ?? '')
    this.#unacknowledged = { sequence, awaitsAnswer }
    // A far end that never acknowledges is gone (14.2).
    transaction.onUnacknowledged(() => {
      if (this.#unacknowledged?.sequence === sequence && this.#state === 'up') this.#options.onLost()
    })
  }

  #accept(body: Uint8Array): boolean {
    const { negotiation, onMedia } = this.#options
    try {
      onMedia(negotiation.accept(body))
      return true
    } catch (error) {
      if (!(error instanceof SdpError)) throw error
      return false
    }
  }
}
