import { parseCSeq } from '../message/cseq.ts'
import { headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { readMinSe } from '../message/numeric-headers.ts'
import type { Direction } from '../sdp/description.ts'
import { TIMEOUT_MS } from '../transaction/timers.ts'
import type { ClientTransactionUser } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import { ALLOWED } from './allowed.ts'
import { ask, type Asked } from './ask.ts'
import { authorizationOf } from './authorization-of.ts'
import type { Dialog } from './dialog.ts'
import type { Line } from './line.ts'
import type { Negotiation } from './negotiation.ts'
import { peerAt } from './next-hop.ts'
import type { SessionTimer } from './session-timer.ts'

export interface OwnOffersOptions {
  readonly line: Line
  readonly dialog: Dialog
  /** The peer that the INVITE went to. */
  readonly trunk: Peer
  readonly negotiation: Negotiation
  readonly timer: SessionTimer
  /** Returns whether the call goes on. */
  isUp(): boolean
  /** Returns whether an offer of the far end is open, which ours would cross. */
  isOffered(): boolean
  /** Takes the answer. Returns false if it is of no use. */
  accept(body: Uint8Array): boolean
  /** Called when the far end has vanished. */
  onLost(): void
}

/** How one re-INVITE ended: by its final response, without any response, or without a final one. */
type Reply = SipResponse | 'lost' | 'unsettled'

/** How often a re-INVITE is sent that crosses another, or that asks for too short a session. */
const MAX_ATTEMPTS = 4
/** Statuses of a request within a dialog by which the dialog is over (RFC 3261, 12.2.1.2). */
const isGone = (status: number): boolean => status === 408 || status === 481

const IGNORE: ClientTransactionUser = { onProvisional() {}, onFinal() {}, onFailure() {} }

/** The re-INVITEs that we send in an answered call (RFC 3261, section 14.1). */
export class OwnOffers {
  readonly #options: OwnOffersOptions
  #isOpen = false
  #direction: Direction = 'sendrecv'

  constructor(options: OwnOffersOptions) {
    this.#options = options
  }

  /** Whether an offer of ours waits for its answer: another would cross it. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Refreshes the session, with the direction as it is. */
  refresh(): void {
    void this.send(this.#direction)
  }

  /**
   * Offers anew. Resolves with whether the far end agreed. Unless it did, the session goes on as it was agreed before; a far end that
   * does not respond at all, or that knows of no call, is lost.
   */
  async send(direction: Direction): Promise<boolean> {
    const { isUp, isOffered } = this.#options
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && isUp(); attempt += 1) {
      if (!this.#isOpen && !isOffered()) {
        const reply = await this.#sendOnce(direction)
        if (reply === 'unsettled') return false
        if (reply === 'lost' || isGone(reply.status)) return this.#lose()
        if (this.#wantsLonger(reply)) continue
        if (reply.status !== 491) return reply.status < 300 && this.#take(reply, direction)
      }
      await this.#waitAfterCrossing()
    }
    return false
  }

  #lose(): false {
    if (this.#options.isUp()) this.#options.onLost()
    return false
  }

  /** Learns from a 422 how long a session must be. */
  #wantsLonger(response: SipResponse): boolean {
    const minimum = response.status === 422 ? readMinSe(headerOf(response, 'min-se') ?? '') : undefined
    return minimum !== undefined && this.#options.timer.learnMinimum(minimum)
  }

  /** We own the Call-ID, so we wait for 2.1 to 4 seconds (RFC 3261, section 14.1). */
  #waitAfterCrossing(): Promise<void> {
    const { random, clock } = this.#options.line
    const waitMs = 2100 + 10 * Math.floor(190 * random())
    return new Promise((resolve) => void clock.after(waitMs, resolve))
  }

  #take(response: SipResponse, direction: Direction): boolean {
    const { isUp, timer, accept } = this.#options
    // We may have hung up meanwhile.
    if (!isUp()) return false
    timer.takeResponse(response)
    const isAgreed = accept(response.body)
    if (isAgreed) this.#direction = direction
    return isAgreed
  }

  /** Sends one re-INVITE, and acknowledges its 2xx. */
  #sendOnce(direction: Direction): Promise<Reply> {
    const { line, dialog, trunk, negotiation, timer } = this.#options
    const offer = negotiation.offer(direction)
    const session = timer.refreshHeaders()
    const guard = new AnswerGuard(line, () => asked)
    this.#isOpen = true
    const { promise, resolve } = Promise.withResolvers<Reply>()
    let acknowledge: (() => void) | undefined
    let isSettled = false
    const settle = (reply: Reply) => {
      if (isSettled) return
      isSettled = true
      guard.stop()
      this.#isOpen = false
      resolve(reply)
    }
    const asked = ask(line, {
      peer: peerAt(dialog.nextHop, trunk),
      make(headers) {
        guard.stop()
        return dialog.request('INVITE', {
          headers: [...ALLOWED, ...session, ...offer.headers, ...headers],
          body: offer.body,
        })
      },
      mayRepeat: () => !guard.hasCanceled,
      user: {
        onProvisional: () => guard.start(),
        onFinal: (response) => {
          if (response.status < 300)
            acknowledge ??= this.#acknowledgerOf(asked.transaction().request, response)
          // Each repetition of a 2xx gets the same ACK (13.2.2.4).
          acknowledge?.()
          settle(response)
        },
        onFailure: () => settle(guard.hasCanceled ? 'unsettled' : 'lost'),
      },
    })
    return promise
  }

  /** Takes a 2xx. Returns a function that sends its ACK. */
  #acknowledgerOf(invite: SipRequest, response: SipResponse): () => void {
    const { line, dialog, trunk } = this.#options
    const { sequence } = parseCSeq(headerOf(response, 'cseq') ?? '')
    dialog.refreshTarget(response)
    const ack = dialog.request('ACK', { sequence, headers: authorizationOf(invite) })
    const peer = peerAt(dialog.nextHop, trunk)
    return () => line.transactions.acknowledge(ack, peer)
  }
}

/**
 * Cancels a re-INVITE that gets no more than provisional responses, after which its transaction waits without a limit (RFC 3261, section
 * 17.1.1.2). The transaction bounds the wait for what follows the CANCEL.
 */
class AnswerGuard {
  readonly #line: Line
  readonly #asked: () => Asked
  #stop: (() => void) | undefined
  #hasCanceled = false

  constructor(line: Line, asked: () => Asked) {
    this.#line = line
    this.#asked = asked
  }

  get hasCanceled(): boolean {
    return this.#hasCanceled
  }

  start(): void {
    if (this.#hasCanceled) return
    this.#stop ??= this.#line.clock.after(TIMEOUT_MS, () => {
      this.#hasCanceled = true
      this.#line.transactions.cancel(this.#asked().transaction(), IGNORE)
    })
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
