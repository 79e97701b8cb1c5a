import type { IncomingRefusal } from '@vaani/telephony'
import { verdictOfBye, type Verdict } from '@vaani/telephony/line'
import { headerOf, headersOf } from '../message/message.ts'
import { tagOf } from '../message/name-addr.ts'
import { numberCalled, numberOfCaller } from '../message/number-of.ts'
import type { AudioDescription } from '../sdp/description.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'
import { Dialog } from './dialog.ts'
import { EstablishedCall } from './established-call.ts'
import type { LineCall, LineCallEnd, LineCallListener } from './line-call.ts'
import type { Line } from './line.ts'
import { Negotiation } from './negotiation.ts'
import { respond } from './respond.ts'
import { MIN_SESSION_SECONDS } from './session-timer.ts'

/** Longest that a caller hears it ring before we say that nobody answers. */
const RING_LIMIT_MS = 30_000
/** Extensions that a caller may require of us (RFC 3261, 8.2.2.3). */
const KNOWN_EXTENSIONS = new Set(['timer'])

/** Why a call that comes in is not taken, as the status that the caller's trunk gets (RFC 3261, section 21). */
const REFUSAL_STATUSES = {
  unknown_number: 404,
  unavailable: 480,
  busy: 486,
  rejected: 603,
} as const satisfies Record<IncomingRefusal, number>

export interface IncomingCallOptions {
  readonly line: Line
  readonly invite: ServerTransaction
  /** Called when the caller gives up or nobody answers in time, while the call rings. */
  readonly onGone: () => void
  /** Called when nothing of the call is left to do. */
  readonly onSettled: () => void
}

/** What is needed to answer a call. */
export interface AnswerRequest {
  /** What we support. Its key, if any, is that of our direction. */
  readonly offer: AudioDescription
  readonly maxDurationMs: number
}

/** One call that comes in: rings, is answered or refused, talks, and hangs up. */
export class IncomingCall implements LineCall {
  /** The number that was called; undefined if the trunk gives none. */
  readonly to: string | undefined
  /** The caller's number; undefined if it is withheld. */
  readonly from: string | undefined
  readonly #options: IncomingCallOptions
  readonly #tag: string
  readonly #timers: (() => void)[] = []
  #state: 'ringing' | 'answered' | 'ended' = 'ringing'
  #established: EstablishedCall | undefined
  #listener: LineCallListener | undefined

  constructor(options: IncomingCallOptions) {
    this.#options = options
    const { line, invite } = options
    this.#tag = line.randomHex(8)
    this.to = numberCalled(invite.request)
    this.from = numberOfCaller(invite.request)
  }

  /** Rings. Returns false if the call was refused instead, because it asks for what we do not know. */
  ring(): boolean {
    const { invite } = this.#options
    const unknown = headersOf(invite.request, 'require').filter(
      (extension) => !KNOWN_EXTENSIONS.has(extension.toLowerCase()),
    )
    if (unknown.length > 0) {
      respond(invite, 420, { toTag: this.#tag, headers: unknown.map((value) => ['unsupported', value]) })
      this.#settle()
      return false
    }
    respond(invite, 180, { toTag: this.#tag, headers: [['contact', `<${this.#options.line.contact.uri}>`]] })
    this.#after(RING_LIMIT_MS, () => this.#goWith(REFUSAL_STATUSES.unavailable))
    return true
  }

  refuse(reason: IncomingRefusal): void {
    if (this.#state !== 'ringing') return
    respond(this.#options.invite, REFUSAL_STATUSES[reason], { toTag: this.#tag })
    this.#settle()
  }

  /** Answers. A call that is over by then, or whose offer we cannot accept, ends at once. */
  answer({ offer, maxDurationMs }: AnswerRequest, listener: LineCallListener): LineCall {
    this.#listener = listener
    if (this.#state === 'ended') listener.onEnded({ outcome: 'canceled', endedBy: 'callee' })
    else if (this.#state === 'ringing') this.#answer(offer, maxDurationMs, listener)
    return this
  }

  #answer(offer: AudioDescription, maxDurationMs: number, listener: LineCallListener): void {
    const { line, invite, onSettled } = this.#options
    const { request, from: trunk } = invite
    this.#stopTimers()
    this.#state = 'answered'
    const dialog = Dialog.ofCallee(request, this.#tag, line.contact)
    const established = new EstablishedCall({
      line,
      dialog,
      trunk,
      negotiation: new Negotiation(offer, Number.parseInt(line.randomHex(6), 16), trunk.address),
      minimumSessionSeconds: MIN_SESSION_SECONDS,
      onMedia: (audio) => listener.onMedia(audio),
      onKey: (digit) => listener.onKey(digit),
      onBye: (cause) => this.#end(verdictOfBye(cause), cause === undefined ? {} : { q850Cause: cause }),
      onLost: () => this.#bye({ outcome: 'carrier_error', endedBy: 'carrier' }),
      onSettled,
    })
    if (!established.answer(invite, this.#tag)) {
      this.#end({ outcome: 'carrier_error', endedBy: 'carrier' })
      return onSettled()
    }
    this.#established = established
    this.#after(maxDurationMs, () => this.#bye({ outcome: 'duration_limit', endedBy: 'duration_limit' }))
    listener.onAnswered(dialog.farewell())
  }

  hangUp(): void {
    if (this.#state === 'ringing') this.refuse('unavailable')
    else this.#bye({ outcome: 'completed', endedBy: 'agent' })
  }

  async setHold(held: boolean): Promise<boolean> {
    return (await this.#established?.setHold(held)) ?? false
  }

  /** Takes a request of the far end. Returns false if it belongs to no dialog of this call. */
  take(transaction: ServerTransaction): boolean {
    if (this.#established) return this.#established.take(transaction)
    const { request } = transaction
    // A caller may give up by a BYE too (15).
    const isEarlyBye = request.method === 'BYE' && tagOf(headerOf(request, 'to') ?? '') === this.#tag
    if (isEarlyBye) {
      respond(transaction, 200)
      this.cancel()
    }
    return isEarlyBye
  }

  acknowledge(ack: Parameters<EstablishedCall['acknowledge']>[0]): void {
    this.#established?.acknowledge(ack)
  }

  /** Takes the CANCEL of the INVITE. */
  cancel(): void {
    this.#goWith(487)
  }

  /** Ends the call before its answer. */
  #goWith(status: number): void {
    if (this.#state !== 'ringing') return
    respond(this.#options.invite, status, { toTag: this.#tag })
    this.#options.onGone()
    this.#settle()
  }

  #bye(verdict: Verdict): void {
    if (this.#state !== 'answered') return
    // First, so that the far end hears of it even if the listener fails.
    this.#established?.bye()
    this.#end(verdict)
  }

  #end(verdict: Verdict, details: Omit<LineCallEnd, keyof Verdict> = {}): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#stopTimers()
    this.#listener?.onEnded({ ...verdict, ...details })
  }

  /** Ends a call that was never answered. */
  #settle(): void {
    this.#state = 'ended'
    this.#stopTimers()
    this.#options.onSettled()
  }

  #after(delayMs: number, action: () => void): void {
    this.#timers.push(this.#options.line.clock.after(delayMs, action))
  }

  #stopTimers(): void {
    for (const stop of this.#timers.splice(0)) stop()
  }
}
