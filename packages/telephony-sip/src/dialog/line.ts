import type { Clock } from '../clock.ts'
import type { NameAddr } from '../message/name-addr.ts'
import type { Transactions } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import type { Credentials } from './credentials.ts'
import type { RandomHex } from './random-hex.ts'

/** What the calls of one trunk share. */
export interface Line {
  readonly transactions: Pick<Transactions, 'request' | 'cancel' | 'acknowledge'>
  readonly clock: Clock
  readonly randomHex: RandomHex
  /** Returns numbers from 0 to below 1. */
  readonly random: () => number
  readonly credentials: Credentials | undefined
  /** Our Contact. */
  readonly contact: NameAddr
  /** Returns whether this is a peer of the trunk, to which credentials may be shown. */
  isTrunk(peer: Peer): boolean
}
