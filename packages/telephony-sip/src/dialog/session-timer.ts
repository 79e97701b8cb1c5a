import type { Clock } from '../clock.ts'
import { headerOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import { readSessionExpires } from '../message/numeric-headers.ts'

/** Session interval that we ask for: the recommended one (RFC 4028, section 4). */
export const SESSION_SECONDS = 1800
/** Shortest session interval that anyone may ask for (RFC 4028, section 4). */
export const MIN_SESSION_SECONDS = 90

/** A session interval to ask for. */
export interface SessionWish {
  readonly seconds: number
  /** Largest Min-SE that a 422 has named in this call: later requests repeat it (RFC 4028, section 7.1). */
  readonly minimumSeconds: number
  readonly refresher?: 'uac' | 'uas'
}

/** Returns the headers that ask for a session timer. */
export const sessionHeaders = ({ seconds, minimumSeconds, refresher }: SessionWish): Headers => [
  [
    'session-expires',
    `${Math.max(seconds, minimumSeconds)}${refresher === undefined ? '' : `;refresher=${refresher}`}`,
  ],
  ['min-se', String(minimumSeconds)],
]

export interface SessionTimerOptions {
  readonly clock: Clock
  /** Largest Min-SE that a 422 to the INVITE has named. */
  readonly minimumSeconds: number
  /** Called halfway through the interval, if it is on us to refresh the session. */
  readonly onRefreshDue: () => void
  /** Called shortly before the end of the interval, if nobody has refreshed the session. */
  readonly onExpired: () => void
}

/** What a request of the far end makes of the session timer. */
export interface SessionAnswer {
  /** For the 2xx. */
  readonly headers: Headers
  /** Starts the timer again: once the request is accepted. */
  start(): void
}

/** Session timer of one call (RFC 4028). Finds calls whose far end has vanished. */
export class SessionTimer {
  readonly #options: SessionTimerOptions
  #stop: (() => void)[] = []
  #isOurs = false
  #minimumSeconds: number
  #seconds = SESSION_SECONDS

  constructor(options: SessionTimerOptions) {
    this.#options = options
    this.#minimumSeconds = options.minimumSeconds
  }

  /**
   * Starts again after a 2xx to our INVITE or UPDATE. Without Session-Expires in it, the session has no timer. A far end may not
   * shorten the interval below our Min-SE (section 9): one that does so all the same gets that.
   */
  takeResponse(response: SipResponse): void {
    const expires = readSessionExpires(headerOf(response, 'session-expires') ?? '')
    this.stop()
    if (expires) this.#start(Math.max(expires.seconds, this.#minimumSeconds), expires.refresher !== 'uas')
  }

  /** Reads a request of the far end. Returns 422 if its interval is too short. A 2xx without Session-Expires ends the timer (section 7.2). */
  answerTo(request: SipRequest): SessionAnswer | 422 {
    const expires = readSessionExpires(headerOf(request, 'session-expires') ?? '')
    if (!expires) return { headers: [], start: () => this.stop() }
    const { seconds, refresher = 'uac' } = expires
    if (seconds < MIN_SESSION_SECONDS) return 422
    return {
      headers: [
        ['session-expires', `${seconds};refresher=${refresher}`],
        ...(refresher === 'uac' ? [['require', 'timer'] as const] : []),
      ],
      start: () => {
        this.stop()
        this.#start(seconds, refresher === 'uas')
      },
    }
  }

  /** Takes the Min-SE of a 422. Returns false if it is not larger than what was asked for, so that asking again is of no use. */
  learnMinimum(seconds: number): boolean {
    const isLarger = seconds > Math.max(this.#minimumSeconds, this.#seconds)
    if (isLarger) this.#minimumSeconds = seconds
    return isLarger
  }

  stop(): void {
    for (const stop of this.#stop.splice(0)) stop()
  }

  /** Returns the headers of a refresh by us: with the interval as it is (section 7.4). */
  refreshHeaders(): Headers {
    const refresher = this.#isOurs ? 'uac' : 'uas'
    return sessionHeaders({ seconds: this.#seconds, minimumSeconds: this.#minimumSeconds, refresher })
  }

  #start(seconds: number, isOurs: boolean): void {
    this.#isOurs = isOurs
    this.#seconds = seconds
    const { clock, onRefreshDue, onExpired } = this.#options
    // The side that does not refresh hangs up min(32, a third) seconds early (section 10).
    const expiry = isOurs ? seconds : seconds - Math.min(32, seconds / 3)
    this.#stop.push(clock.after(expiry * 1000, onExpired))
    if (isOurs) this.#stop.push(clock.after((seconds / 2) * 1000, onRefreshDue))
  }
}
