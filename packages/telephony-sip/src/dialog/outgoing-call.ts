import { NO_RESPONSE, verdictOfBye, verdictOfRefusal, type Verdict } from '@vaani/telephony/line'
import { headerOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import { buildRequest } from '../message/build.ts'
import type { NameAddr } from '../message/name-addr.ts'
import { readMinSe, readRetryAfter } from '../message/numeric-headers.ts'
import { q850CauseOf } from '../message/reason.ts'
import type { AgreedAudio, AudioDescription } from '../sdp/description.ts'
import { SdpError } from '../sdp/sdp-error.ts'
import type { ServerTransaction, TransactionFailure } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import type { LineCall, LineCallEnd, LineCallListener } from './line-call.ts'
import { ALLOWED } from './allowed.ts'
import { createSequenceCounter } from './dialog.ts'
import { EstablishedCall } from './established-call.ts'
import { type Confirmed, Invitation } from './invitation.ts'
import type { Line } from './line.ts'
import { Negotiation } from './negotiation.ts'
import { MIN_SESSION_SECONDS, SESSION_SECONDS, sessionHeaders } from './session-timer.ts'

/** How long a call that was canceled waits for the trunk's word on it. Its signalling goes on afterwards. */
const CANCEL_PATIENCE_MS = 2000

export interface OutgoingCallOptions {
  readonly line: Line
  /** Returns the peers of the trunk, in the order in which to try them. */
  readonly findPeers: () => Promise<readonly Peer[]>
  readonly callId: string
  /** URI of the callee. */
  readonly uri: string
  readonly from: NameAddr
  /** Privacy and the like. */
  readonly headers: Headers
  readonly offer: AudioDescription
  readonly ringTimeoutMs: number
  readonly maxDurationMs: number
  readonly listener: LineCallListener
  /** Called when nothing of the call is left to do: no CANCEL, and no BYE. */
  readonly onSettled: () => void
}

/** One call that we place: rings at the peers of the trunk in turn, talks, and hangs up. */
export class OutgoingCall implements LineCall {
  readonly #options: OutgoingCallOptions
  readonly #counter = createSequenceCounter()
  readonly #timers: (() => void)[] = []
  #invitation: Invitation | undefined
  #established: EstablishedCall | undefined
  #peers: readonly Peer[] = []
  /** Shortest session interval that the trunk takes. */
  #minimumSessionSeconds = MIN_SESSION_SECONDS
  #lastMedia: AgreedAudio | undefined
  #hasRung = false
  #hasEnded = false
  /** How the call ends if the far end takes our CANCEL. */
  #givenUp: Verdict | undefined

  constructor(options: OutgoingCallOptions) {
    this.#options = options
    this.#after(options.ringTimeoutMs, () => this.#giveUp(this.#verdictOfSilence()))
    void this.#start()
  }

  hangUp(): void {
    if (this.#established) this.#bye({ outcome: 'completed', endedBy: 'agent' })
    else this.#giveUp({ outcome: 'canceled', endedBy: 'agent' })
  }

  /** A trunk that has not responded at all says nothing of the person. */
  #verdictOfSilence(): Verdict {
    return this.#invitation?.hasResponse ? { outcome: 'no_answer', endedBy: 'agent' } : NO_RESPONSE
  }

  async setHold(held: boolean): Promise<boolean> {
    return (await this.#established?.setHold(held)) ?? false
  }

  /** Takes a request of the far end. Returns false if it belongs to no dialog of this call. */
  take(transaction: ServerTransaction): boolean {
    return (this.#established ?? this.#invitation)?.take(transaction) ?? false
  }

  acknowledge(ack: SipRequest): void {
    this.#established?.acknowledge(ack)
  }

  async #start(): Promise<void> {
    // A name that cannot be resolved now has no peers.
    this.#peers = await this.#options.findPeers().catch(() => [])
    if (this.#givenUp) this.#end(this.#givenUp)
    if (!this.#hasEnded) this.#inviteNext()
    else this.#options.onSettled()
  }

  /** Invites at the next peer. */
  #inviteNext(): void {
    const [peer, ...others] = this.#peers
    this.#peers = others
    if (peer) return this.#invite(peer)
    this.#end(NO_RESPONSE)
    this.#options.onSettled()
  }

  #invite(peer: Peer): void {
    const { line, offer, onSettled } = this.#options
    const sessionId = Number.parseInt(line.randomHex(6), 16)
    const negotiation = new Negotiation(offer, sessionId, peer.address)
    const sdp = negotiation.offer()
    const invitation = new Invitation({
      line,
      peer,
      negotiation,
      counter: this.#counter,
      makeInvite: (sequence, headers) => this.#makeInvite(sequence, [...sdp.headers, ...headers], sdp.body),
      user: {
        onRinging: () => this.#ring(),
        onEarlyMedia: (audio) => this.#tellMedia(audio),
        onAnswered: (confirmed) => this.#answer(confirmed, peer, negotiation),
        onRefused: (refusal) => this.#takeRefusal(refusal, peer),
      },
      onSettled: () => {
        // Another peer is being tried, or the call goes on.
        if (this.#invitation === invitation && !this.#established) onSettled()
      },
    })
    this.#invitation = invitation
  }

  #makeInvite(sequence: number, headers: Headers, body: Uint8Array): SipRequest {
    const { callId, uri, from, line } = this.#options
    return buildRequest({
      method: 'INVITE',
      uri,
      from,
      to: { uri, parameters: [] },
      callId,
      sequence,
      contact: line.contact,
      headers: [
        ...ALLOWED,
        ...sessionHeaders({ seconds: SESSION_SECONDS, minimumSeconds: this.#minimumSessionSeconds }),
        ...this.#options.headers,
        ...headers,
      ],
      body,
    })
  }

  #ring(): void {
    if (this.#hasRung || this.#hasEnded) return
    this.#hasRung = true
    this.#options.listener.onRinging()
  }

  #tellMedia(audio: AgreedAudio): void {
    // The answer of a fork may have agreed on what another fork changed meanwhile.
    if (audio === this.#lastMedia) return
    this.#lastMedia = audio
    this.#options.listener.onMedia(audio)
  }

  #answer({ dialog, response, agreed }: Confirmed, trunk: Peer, negotiation: Negotiation): void {
    const { line, listener, maxDurationMs, onSettled } = this.#options
    this.#stopTimers()
    this.#established = new EstablishedCall({
      line,
      dialog,
      answer: response,
      trunk,
      negotiation,
      minimumSessionSeconds: this.#minimumSessionSeconds,
      onMedia: (audio) => this.#tellMedia(audio),
      onKey: (digit) => listener.onKey(digit),
      onBye: (cause) => this.#end(verdictOfBye(cause), withCause(cause)),
      onLost: () => this.#bye({ outcome: 'carrier_error', endedBy: 'carrier' }),
      onSettled,
    })
    try {
      this.#tellMedia(agreed ?? negotiation.accept(response.body))
    } catch (error) {
      if (!(error instanceof SdpError)) throw error
      return this.#bye({ outcome: 'carrier_error', endedBy: 'carrier' })
    }
    this.#after(maxDurationMs, () => this.#bye({ outcome: 'duration_limit', endedBy: 'duration_limit' }))
    listener.onAnswered(dialog.farewell())
  }

  #takeRefusal(refusal: SipResponse | TransactionFailure, peer: Peer): void {
    if (this.#givenUp) return this.#endAsGivenUp(refusal)
    if (this.#mayTryNext(refusal)) return this.#inviteNext()
    if (typeof refusal === 'string') return this.#end(NO_RESPONSE)
    const minSe = refusal.status === 422 ? readMinSe(headerOf(refusal, 'min-se') ?? '') : undefined
    if (minSe !== undefined && minSe > SESSION_SECONDS && this.#minimumSessionSeconds < SESSION_SECONDS) {
      this.#minimumSessionSeconds = minSe
      return this.#invite(peer)
    }
    const cause = q850CauseOf(refusal)
    const retryAfter = readRetryAfter(headerOf(refusal, 'retry-after') ?? '')
    this.#end(verdictOfRefusal(refusal.status, cause), {
      sipStatus: refusal.status,
      ...withCause(cause),
      ...(refusal.status === 503 && retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
    })
  }

  /** Another peer is tried only before the first ring, so that nobody is rung twice, and only if this one did not take the call. */
  #mayTryNext(refusal: SipResponse | TransactionFailure): boolean {
    return (typeof refusal === 'string' || isUnserved(refusal)) && !this.#hasRung && this.#peers.length > 0
  }

  #endAsGivenUp(refusal: SipResponse | TransactionFailure): void {
    if (!this.#givenUp) return
    this.#end(this.#givenUp, typeof refusal === 'string' ? {} : { sipStatus: refusal.status })
  }

  #giveUp(verdict: Verdict): void {
    if (this.#hasEnded || this.#givenUp || this.#established) return
    this.#givenUp = verdict
    this.#stopTimers()
    this.#after(CANCEL_PATIENCE_MS, () => this.#end(verdict))
    this.#invitation?.cancel()
  }

  #bye(verdict: Verdict): void {
    if (this.#hasEnded) return
    // First, so that the far end hears of it even if the listener fails.
    this.#established?.bye()
    this.#end(verdict)
  }

  #end(verdict: Verdict, details: Omit<LineCallEnd, keyof Verdict> = {}): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#stopTimers()
    this.#options.listener.onEnded({ ...verdict, ...details })
  }

  #after(delayMs: number, action: () => void): void {
    this.#timers.push(this.#options.line.clock.after(delayMs, action))
  }

  #stopTimers(): void {
    for (const stop of this.#timers.splice(0)) stop()
  }
}

const withCause = (cause: number | undefined) => (cause === undefined ? {} : { q850Cause: cause })

/** Returns whether a refusal is the peer's own: a 503 whose cause is not about the callee, who would otherwise be called twice. */
const isUnserved = (refusal: SipResponse): boolean =>
  refusal.status === 503 && verdictOfRefusal(503, q850CauseOf(refusal)).outcome === 'carrier_error'
