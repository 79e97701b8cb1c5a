import type { Clock } from '../clock.ts'
import { headerOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import { readSessionExpires } from '../message/numeric-headers.ts'

/** Session interval that we ask for: the recommended one (RFC 4028, section 4). */
export const SESSION_SECONDS = 1800
/** Shortest session interval that anyone may ask for (RFC 4028, section 4). */
export const MIN_SESSION_SECONDS = 90

/** Returns the headers that ask for a session timer. */
export const sessionHeaders = (seconds: number): Headers => [
  ['session-expires', String(seconds)],
  ['min-se', String(Math.min(seconds, MIN_SESSION_SECONDS))],
]

export interface SessionTimerOptions {
  readonly clock: Clock
  /** Called halfway through the interval, if it is on us to refresh the session. */
  readonly onRefreshDue: () => void
  /** Called shortly before the end of the interval, if nobody has refreshed the session. */
  readonly onExpired: () => void
}

/** Session timer of one call (RFC 4028). Finds calls whose far end has vanished. */
export class SessionTimer {
  readonly #options: SessionTimerOptions
  #stop: (() => void)[] = []
  #isOurs = false

  constructor(options: SessionTimerOptions) {
    this.#options = options
  }

  /** Starts again after a 2xx to our INVITE or UPDATE. Without Session-Expires in it, the session has no timer. */
  takeResponse(response: SipResponse): void {
    const expires = readSessionExpires(headerOf(response, 'session-expires') ?? '')
    this.stop()
    if (expires) this.#start(expires.seconds, expires.refresher !== 'uas')
  }

  /** Starts again after a request of the far end. Returns the headers for its 2xx, or a status that refuses it. */
  takeRequest(request: SipRequest): Headers | 422 {
    const expires = readSessionExpires(headerOf(request, 'session-expires') ?? '')
    if (!expires) return []
    if (expires.seconds < MIN_SESSION_SECONDS) return 422
    const refresher = expires.refresher ?? 'uac'
    this.stop()
    this.#start(expires.seconds, refresher === 'uas')
    return [
      ['session-expires', `${expires.seconds};refresher=${refresher}`],
      ...(refresher === 'uac' ? [['require', 'timer'] as const] : []),
    ]
  }

  stop(): void {
    for (const stop of this.#stop.splice(0)) stop()
  }

  /** Returns the headers of a refresh by us. */
  refreshHeaders(): Headers {
    return [['session-expires', `${SESSION_SECONDS};refresher=${this.#isOurs ? 'uac' : 'uas'}`]]
  }

  #start(seconds: number, isOurs: boolean): void {
    this.#isOurs = isOurs
    const { clock, onRefreshDue, onExpired } = this.#options
    // The side that does not refresh hangs up min(32, a third) seconds early (RFC 4028, section 10).
    const expiry = isOurs ? seconds : seconds - Math.min(32, seconds / 3)
    this.#stop.push(clock.after(expiry * 1000, onExpired))
    if (isOurs) this.#stop.push(clock.after((seconds / 2) * 1000, onRefreshDue))
  }
}
