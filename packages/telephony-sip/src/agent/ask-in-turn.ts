import type { Line } from '../dialog/line.ts'
import { ask, type Question } from '../dialog/ask.ts'
import type { SipResponse } from '../message/message.ts'
import type { Peer } from '../transport/flow.ts'

export interface TurnOptions extends Pick<Question, 'make' | 'mayRepeat'> {
  readonly line: Line
  /** Returns the peers of the trunk, in the order in which to try them. */
  readonly findPeers: () => Promise<readonly Peer[]>
  /** Returns whether the answer is still wanted. */
  isWanted(): boolean
}

/**
 * Asks the peers of a trunk in turn: the next one if a peer cannot be reached, times out, or answers 503 (RFC 3263, section 4.3).
 * Resolves with the final response of the last that was asked, or of the last that gave one; undefined if none did.
 */
export async function askInTurn(options: TurnOptions): Promise<SipResponse | undefined> {
  // A name that cannot be resolved now has no peers.
  const peers = await options.findPeers().catch(() => [])
  let last: SipResponse | undefined
  for (const peer of peers) {
    if (!options.isWanted()) break
    last = (await askPeer(peer, options)) ?? last
    if (last && last.status !== 503) break
  }
  return last
}

const askPeer = (peer: Peer, { line, make, mayRepeat }: TurnOptions): Promise<SipResponse | undefined> =>
  new Promise((resolve) => {
    ask(line, {
      peer,
      make,
      ...(mayRepeat && { mayRepeat }),
      user: { onProvisional() {}, onFinal: resolve, onFailure: () => resolve(undefined) },
    })
  })
