import { parseCSeq } from '../message/cseq.ts'
import { headerOf, type SipMessage, type SipRequest } from '../message/message.ts'
import { tagOf } from '../message/name-addr.ts'
import { parameterOf } from '../message/parameters.ts'
import { BRANCH_COOKIE, parseVia } from '../message/via.ts'

// Header values hold no line ends.
const join = (...parts: readonly (string | number | undefined)[]): string => parts.join('\n')

const topViaOf = (message: SipMessage) => parseVia(headerOf(message, 'via') ?? '')
const cseqOf = (message: SipMessage) => parseCSeq(headerOf(message, 'cseq') ?? '')

/**
 * Returns what a response has in common with the request that it answers: the branch of the topmost Via, and the method (RFC
 * 3261, section 17.1.3).
 */
export const clientKeyOf = (message: SipMessage): string =>
  join(parameterOf(topViaOf(message), 'branch'), cseqOf(message).method)

/**
 * Returns what a request has in common with its repetitions: the branch and the sent-by of the topmost Via, and the method (RFC
 * 3261, section 17.2.3). Without a branch of RFC 3261, it is what RFC 2543 compares.
 * @param method whose transaction to find: `INVITE` for an ACK, and for what a CANCEL ends
 */
export function serverKeyOf(request: SipRequest, method = request.method): string {
  const via = topViaOf(request)
  const branch = parameterOf(via, 'branch')
  if (branch?.startsWith(BRANCH_COOKIE)) return join(branch, via.host.toLowerCase(), via.port, method)
  return join('rfc2543', request.uri, headerOf(request, 'via'), method, ackKeyOf(request))
}

/** Returns what the ACK of a 2xx has in common with its INVITE: sequence number, Call-ID and From tag (13.2.2.4). */
export const ackKeyOf = (request: SipRequest): string =>
  join(headerOf(request, 'call-id'), tagOf(headerOf(request, 'from') ?? ''), cseqOf(request).sequence)
