import type { Line } from '../dialog/line.ts'
import { ask, type Question } from '../dialog/ask.ts'
import type { SipResponse } from '../message/message.ts'
import type { TransactionFailure } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'

export interface TurnOptions extends Pick<Question, 'make' | 'mayRepeat'> {
  readonly line: Line
  /** Returns the peers of the trunk, in the order in which to try them. */
  readonly findPeers: () => Promise<readonly Peer[]>
  /** Returns whether the answer is still wanted. */
  isWanted(): boolean
}

/** What the peers said. Without both, the trunk has no peers, or the answer is no longer wanted. */
export interface Turns {
  /** Last final response: not 503, unless every peer that responded gave that. */
  readonly response?: SipResponse
  /** Why the last peer that gave no final response did not. */
  readonly failure?: TransactionFailure
}

/**
 * Asks the peers of a trunk in turn: the next one if a peer cannot be reached, times out, or answers 503 (RFC 3263, section 4.3).
 */
export async function askInTurn(options: TurnOptions): Promise<Turns> {
  // A name that cannot be resolved now has no peers.
  const peers = await options.findPeers().catch(() => [])
  let turns: Turns = {}
  for (const peer of peers) {
    if (!options.isWanted()) break
    const said = await askPeer(peer, options)
    turns = typeof said === 'string' ? { ...turns, failure: said } : { ...turns, response: said }
    if (turns.response && turns.response.status !== 503) break
  }
  return turns
}

const askPeer = (
  peer: Peer,
  { line, make, mayRepeat }: TurnOptions,
): Promise<SipResponse | TransactionFailure> =>
  new Promise((resolve) => {
    ask(line, {
      peer,
      make,
      ...(mayRepeat && { mayRepeat }),
      user: { onProvisional() {}, onFinal: resolve, onFailure: resolve },
    })
  })
