import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Peer } from '../transport/flow.ts'

/** Why a client transaction ended without a final response. */
export type TransactionFailure = 'timeout' | 'transport'

/** What the user of a client transaction hears. */
export interface ClientTransactionUser {
  /** Each 1xx. */
  onProvisional(response: SipResponse): void
  /** The first final response; of an INVITE, also each further 2xx, be it a repetition or from another fork. */
  onFinal(response: SipResponse): void
  onFailure(failure: TransactionFailure): void
}

export interface ClientTransaction {
  /** The request as it was sent, with its Via. */
  readonly request: SipRequest
  readonly peer: Peer
  /** Ends without telling its user anything more. */
  abandon(): void
}

export interface ServerTransaction {
  readonly request: SipRequest
  readonly from: Peer
  /**
   * Sends a response to where the request came from (RFC 3261, 18.2.2; RFC 3581), and repeats it as the transaction requires.
   * Responses after a final one are ignored.
   */
  respond(response: SipResponse): void
  /** Called when a 2xx or another final response to an INVITE was never acknowledged (64 × T1). */
  onUnacknowledged(action: () => void): void
}

/** The transaction layer of RFC 3261, section 17, with RFC 6026. */
export interface Transactions {
  /** Adds a Via with a fresh branch, sends the request, and retransmits it as its transport requires. */
  request(request: SipRequest, peer: Peer, user: ClientTransactionUser): ClientTransaction
  /** Sends a CANCEL of an INVITE, with its branch. Only after a provisional response (9.1): the caller sees to that. */
  cancel(invite: ClientTransaction, user: ClientTransactionUser): ClientTransaction
  /** Sends the ACK of a 2xx, which is no transaction. Adds a Via with a fresh branch, or that of the same object before (13.2.2.4). */
  acknowledge(ack: SipRequest, peer: Peer): void
  /**
   * Sets which new requests are refused without a transaction (8.2.7), so that strangers cannot fill the memory: with the returned
   * status, or not at all. ACKs are never refused.
   */
  onStranger(judge: (request: SipRequest, from: Peer) => number | undefined): void
  /** Sets the receiver of new requests. A matched CANCEL was answered with 200, and comes through `onCancel`. */
  onRequest(receive: (transaction: ServerTransaction) => void): void
  /** Sets the receiver of the INVITE that a CANCEL has ended; it must answer 487 unless it has answered. */
  onCancel(receive: (invite: ServerTransaction) => void): void
  /** Sets the receiver of each ACK of a 2xx. */
  onAcknowledge(receive: (ack: SipRequest, from: Peer) => void): void
  close(): void
}
