import type { TransactionFailure } from './transactions.ts'

/** What happens to a client transaction. `canceled` means that a CANCEL of it was sent. */
export type ClientEvent<Timer extends string> =
  | { readonly event: 'response'; readonly status: number }
  | { readonly event: 'timer'; readonly timer: Timer }
  | { readonly event: 'transport_failed' }
  | { readonly event: 'canceled' }

/** What a client transaction wants done. `acknowledge` and the reports are about the response that is being handled. */
export type ClientCommand<Timer extends string> =
  | { readonly do: 'send_request' | 'acknowledge' | 'report_provisional' | 'report_final' }
  | { readonly do: 'report_failure'; readonly failure: TransactionFailure }
  | { readonly do: 'arm'; readonly timer: Timer; readonly delayMs: number }
  | { readonly do: 'disarm'; readonly timer: Timer }

/** A client transaction as a pure function. Once `phase` is `terminated`, its timers are to be dropped. */
export interface ClientMachine<State extends { readonly phase: string }, Timer extends string> {
  /** @param reliable whether the transport retransmits by itself */
  start(reliable: boolean): ClientStep<State, Timer>
  next(state: State, event: ClientEvent<Timer>): ClientStep<State, Timer>
}

export interface ClientStep<State, Timer extends string> {
  readonly state: State
  readonly commands: readonly ClientCommand<Timer>[]
}
