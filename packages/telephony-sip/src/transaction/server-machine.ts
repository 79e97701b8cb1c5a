/** What happens to a server transaction. `request` is a repetition of its request; `respond` is its user's wish. */
export type ServerEvent<Timer extends string> =
  | { readonly event: 'request' | 'acknowledged' }
  | { readonly event: 'respond'; readonly status: number }
  | { readonly event: 'timer'; readonly timer: Timer }

/**
 * What a server transaction wants done. `send_response` sends the response that its user has just given; `repeat_response`
 * sends the last one again.
 */
export type ServerCommand<Timer extends string> =
  | { readonly do: 'send_response' | 'repeat_response' | 'send_trying' | 'report_unacknowledged' }
  | { readonly do: 'arm'; readonly timer: Timer; readonly delayMs: number }
  | { readonly do: 'disarm'; readonly timer: Timer }

/**
 * A server transaction as a pure function. Once `phase` is `terminated`, its timers are to be dropped. It ignores that its
 * responses cannot be sent, as RFC 6026, section 8.9, says: its timers end it.
 */
export interface ServerMachine<State extends { readonly phase: string }, Timer extends string> {
  /** @param reliable whether the transport retransmits by itself */
  start(reliable: boolean): ServerStep<State, Timer>
  next(state: State, event: ServerEvent<Timer>): ServerStep<State, Timer>
}

export interface ServerStep<State, Timer extends string> {
  readonly state: State
  readonly commands: readonly ServerCommand<Timer>[]
}
