import { buildResponse } from '../message/build.ts'
import { parseCSeq } from '../message/cseq.ts'
import { headerOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import { q850CauseOf } from '../message/reason.ts'
import type { AgreedAudio, Direction } from '../sdp/description.ts'
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
import { MIN_SESSION_SECONDS, SessionTimer } from './session-timer.ts'

export interface EstablishedCallOptions {
  readonly line: Line
  readonly dialog: Dialog
  /** The 2xx that answered the call. */
  readonly answer: SipResponse
  /** The peer that the INVITE went to. */
  readonly trunk: Peer
  readonly negotiation: Negotiation
  readonly onMedia: (audio: AgreedAudio) => void
  readonly onKey: (digit: string) => void
  /** Called when the far end has hung up. */
  readonly onBye: (q850Cause: number | undefined) => void
  /** Called when the far end has vanished: `bye` must be called. */
  readonly onLost: () => void
  /** Called when the BYE was answered or has timed out. */
  readonly onSettled: () => void
}

/** How often a re-INVITE that crossed another is repeated. */
const MAX_ATTEMPTS = 4
/** Statuses of a request within a dialog by which the dialog is over (RFC 3261, 12.2.1.2). */
const isGone = (status: number): boolean => status === 408 || status === 481

/** A call that was answered, until its BYE. */
export class EstablishedCall {
  readonly #options: EstablishedCallOptions
  readonly #timer: SessionTimer
  #state: 'up' | 'over' = 'up'
  /** Whether an offer of ours waits for its answer: another would cross it. */
  #isOffering = false
  /** The transaction of their INVITE that we have answered and they have not acknowledged. */
  #unacknowledged: { readonly sequence: number; readonly awaitsAnswer: boolean } | undefined
  #lastAck: { readonly ack: SipRequest; readonly peer: Peer } | undefined
  #direction: Direction = 'sendrecv'

  constructor(options: EstablishedCallOptions) {
    this.#options = options
    this.#timer = new SessionTimer({
      clock: options.line.clock,
      onRefreshDue: () => void this.#reinvite(this.#direction),
      onExpired: options.onLost,
    })
    this.#timer.takeResponse(options.answer)
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
    return this.#reinvite(held ? 'sendonly' : 'sendrecv')
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
        return this.#takeOffer(transaction)
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
    if (open.awaitsAnswer) this.#accept(ack.body)
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

  #takeOffer(transaction: ServerTransaction): void {
    const { request } = transaction
    if (this.#state === 'over') return respond(transaction, 481)
    // Offers that cross are both refused and repeated after a random wait (14.2).
    if (this.#isOffering || this.#unacknowledged) return respond(transaction, 491)
    const session = this.#timer.takeRequest(request)
    if (session === 422)
      return respond(transaction, 422, { headers: [['min-se', String(MIN_SESSION_SECONDS)]] })
    const { dialog, negotiation, line, onMedia } = this.#options
    dialog.refreshTarget(request)
    const headers: Headers = [['contact', `<${line.contact.uri}>`], ...ALLOWED, ...session]
    if (request.body.length === 0 && request.method === 'UPDATE')
      return respond(transaction, 200, { headers })
    try {
      const { answer, agreed } =
        request.body.length > 0
          ? negotiation.answer(request.body)
          : { answer: negotiation.offer(), agreed: undefined }
      if (request.method === 'INVITE') this.#awaitAck(transaction, agreed === undefined)
      respond(transaction, 200, { headers: [...headers, ...answer.headers], body: answer.body })
      if (agreed) onMedia(agreed)
    } catch (error) {
      if (!(error instanceof SdpError)) throw error
      respond(transaction, 488)
    }
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

  /** Offers anew. Resolves with whether the far end agreed. */
  async #reinvite(direction: Direction): Promise<boolean> {
    const { line } = this.#options
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && this.#state === 'up'; attempt += 1) {
      if (!this.#isOffering && !this.#unacknowledged) {
        const response = await this.#offerOnce(direction)
        if (response === undefined || isGone(response.status)) {
          if (this.#state === 'up') this.#options.onLost()
          return false
        }
        if (response.status !== 491) return response.status < 300 && this.#accepts(response, direction)
      }
      // We own the Call-ID, so we wait for 2.1 to 4 seconds (14.1).
      const waitMs = 2100 + 10 * Math.floor(190 * line.random())
      await new Promise<void>((resolve) => void line.clock.after(waitMs, resolve))
    }
    return false
  }

  #accepts(response: SipResponse, direction: Direction): boolean {
    this.#options.dialog.refreshTarget(response)
    this.#timer.takeResponse(response)
    const isAgreed = this.#accept(response.body)
    if (isAgreed) this.#direction = direction
    return isAgreed
  }

  /** Sends one re-INVITE. Resolves with its final response, which was acknowledged; undefined if none came. */
  #offerOnce(direction: Direction): Promise<SipResponse | undefined> {
    const { line, dialog, negotiation } = this.#options
    const offer = negotiation.offer(direction)
    const session = this.#timer.refreshHeaders()
    this.#isOffering = true
    return new Promise((resolve) => {
      const finish = (response?: SipResponse) => {
        this.#isOffering = false
        resolve(response)
      }
      ask(line, {
        peer: this.#nextPeer(),
        make: (headers) =>
          dialog.request('INVITE', {
            headers: [...ALLOWED, ...session, ...offer.headers, ...headers],
            body: offer.body,
          }),
        user: {
          onProvisional() {},
          onFinal: (response) => {
            if (response.status < 300) this.#acknowledgeOwn(response)
            finish(response)
          },
          onFailure: () => finish(),
        },
      })
    })
  }

  #acknowledgeOwn(response: SipResponse): void {
    const { line, dialog } = this.#options
    const { sequence } = parseCSeq(headerOf(response, 'cseq') ?? '')
    const last = this.#lastAck
    const isRepeated = last && parseCSeq(headerOf(last.ack, 'cseq') ?? '').sequence === sequence
    if (!isRepeated) dialog.refreshTarget(response)
    this.#lastAck = isRepeated ? last : { ack: dialog.request('ACK', { sequence }), peer: this.#nextPeer() }
    line.transactions.acknowledge(this.#lastAck.ack, this.#lastAck.peer)
  }
}

function respond(
  transaction: ServerTransaction,
  status: number,
  parts: { readonly headers?: Headers; readonly body?: Uint8Array } = {},
): void {
  transaction.respond(buildResponse(transaction.request, { status, ...parts }))
}
