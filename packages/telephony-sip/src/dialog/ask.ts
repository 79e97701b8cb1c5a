import type { Headers, SipRequest, SipResponse } from '../message/message.ts'
import type { ClientTransaction, ClientTransactionUser } from '../transaction/transactions.ts'
import type { Peer } from '../transport/flow.ts'
import type { Line } from './line.ts'

/** A request under way. */
export interface Asked {
  /** Returns its latest transaction. */
  transaction(): ClientTransaction
}

export interface Question {
  readonly peer: Peer
  /** Makes the request anew, with the next sequence number: a repeated request is a new one (RFC 3261, 8.1.3.5). */
  make(headers: Headers): SipRequest
  readonly user: ClientTransactionUser
  /** Returns whether a challenge may still be answered. Default yes. */
  mayRepeat?(): boolean
}

/** Sends a request and answers the challenges of the trunk, and of nobody else. Everything else comes to the user. */
export function ask(line: Pick<Line, 'transactions' | 'credentials' | 'isTrunk'>, question: Question): Asked {
  const { peer, user } = question
  let answers = 0

  const answerTo = (response: SipResponse, request: SipRequest): Headers[number] | undefined => {
    const isChallenge = response.status === 401 || response.status === 407
    const mayRepeat = question.mayRepeat?.() ?? true
    if (!isChallenge || !line.isTrunk(peer) || !mayRepeat) return undefined
    return line.credentials?.answer(request, response, answers)
  }
  const send = (headers: Headers): ClientTransaction => {
    const request = question.make(headers)
    return line.transactions.request(request, peer, {
      onProvisional: (response) => user.onProvisional(response),
      onFailure: (failure) => user.onFailure(failure),
      onFinal(response) {
        const header = answerTo(response, request)
        if (!header) return user.onFinal(response)
        answers += 1
        latest = send([header])
      },
    })
  }
  let latest = send([])
  return { transaction: () => latest }
}
