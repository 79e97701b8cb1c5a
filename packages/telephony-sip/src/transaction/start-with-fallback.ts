import type { Peer } from '../transport/flow.ts'
import type { RunningClient } from './run-client.ts'
import type { ClientTransaction, ClientTransactionUser } from './transactions.ts'

export interface FallbackOptions {
  readonly first: Peer
  /** Tried if no connection to the first could be made (RFC 3261, section 18.1.1). */
  readonly second: Peer
  readonly onFallback: () => void
}

/** Starts a client transaction that may start again elsewhere, unnoticed by its user. */
export function startWithFallback(
  { first, second, onFallback }: FallbackOptions,
  user: ClientTransactionUser,
  start: (peer: Peer, user: ClientTransactionUser) => RunningClient,
): ClientTransaction {
  const attempt = start(first, {
    onProvisional: (response) => user.onProvisional(response),
    onFinal: (response) => user.onFinal(response),
    onFailure(failure) {
      // After the first byte it may have arrived, and must not arrive twice.
      if (failure !== 'transport' || attempt.hasSent()) return user.onFailure(failure)
      onFallback()
      latest = start(second, user)
    },
  })
  let latest: ClientTransaction = attempt
  return {
    get request() {
      return latest.request
    },
    get peer() {
      return latest.peer
    },
    abandon: () => latest.abandon(),
  }
}
