import { expect, test } from 'vitest'
import { drawMessage } from '../../fuzz/corpus.ts'
import { mutate } from '../../fuzz/mutate.ts'
import { createManualClock } from '../../test/manual-clock.ts'
import { seededRandom } from '../../test/seeded-random.ts'
import { buildResponse } from '../message/build.ts'
import type { SipMessage } from '../message/message.ts'
import { parseMessage } from '../message/parse-message.ts'
import { SipParseError } from '../message/sip-parse-error.ts'
import type { Peer, Transport } from '../transport/flow.ts'
import { createTransactions } from './create-transactions.ts'

const STRANGER: Peer = { transport: 'udp', address: '203.0.113.9', port: 40_000 }
const LIMIT = 100

/** CI varies it every week, as it does for properties. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1)

test('messages of strangers break nothing, are answered only to their address, and leave no more than the limit', () => {
  const random = seededRandom(SEED)
  const clock = createManualClock()
  const targets = new Set<string>()
  let receive: (message: SipMessage, from: Peer) => void = () => {}
  const transport: Transport = {
    isReliable: () => false,
    localAddress: () => ({ host: '192.0.2.1', port: 5060 }),
    send: async (_message, peer) => void targets.add(peer.address),
    onMessage: (given) => void (receive = given),
    onPeerFailed: () => {},
    close: async () => {},
  }
  const transactions = createTransactions({ transport, clock, maxServerTransactions: LIMIT })
  let requests = 0
  transactions.onRequest((transaction) => {
    requests += 1
    const status = [180, 200, 404][requests % 3] ?? 500
    transaction.respond(buildResponse(transaction.request, { status, toTag: 't' }))
  })
  for (let index = 0; index < 3000; index++) {
    try {
      receive(parseMessage(mutate(drawMessage(random), drawMessage(random), random)), STRANGER)
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error
    }
    clock.advance(100)
  }
  expect(requests).toBeGreaterThan(100)
  expect([...targets]).toEqual([STRANGER.address])
  // At most three timers each.
  expect(clock.pending()).toBeLessThanOrEqual(3 * LIMIT)
  transactions.close()
  expect(clock.pending()).toBe(0)
})
