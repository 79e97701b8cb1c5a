import type { SipRequest } from '../message/message.ts'
import { ask } from './ask.ts'
import { Dialog } from './dialog.ts'
import type { Line } from './line.ts'
import { peerAt } from './next-hop.ts'
import type { Peer } from '../transport/flow.ts'

/**
 * Hangs up a call of a process that died: sends one BYE within its dialog, so that the far end does not stay on the line, at a cost, until it
 * notices the silence. Resolves when the far end has answered or does not.
 *
 * @param farewell text that {@link Dialog.farewell} of the call made
 * @throws SyntaxError, SipParseError if it is none
 */
export async function hangUpLeft(
  line: Pick<Line, 'contact' | 'credentials' | 'isTrunk' | 'transactions'>,
  farewell: string,
  findPeers: () => Promise<readonly Peer[]>,
): Promise<void> {
  const dialog = Dialog.left(farewell, line.contact)
  const [trunk] = await findPeers()
  if (trunk === undefined) return
  const { promise, resolve } = Promise.withResolvers<void>()
  ask(line, {
    peer: peerAt(dialog.nextHop, trunk),
    make: (headers): SipRequest => dialog.request('BYE', { headers }),
    user: { onProvisional: () => undefined, onFailure: () => resolve(), onFinal: () => resolve() },
  })
  await promise
}
