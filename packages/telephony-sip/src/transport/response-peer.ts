import { headerOf, type Headers } from '../message/message.ts'
import { parseVia, responseTargetOf } from '../message/via.ts'
import type { Peer } from './flow.ts'

/**
 * Returns where responses to a request go (RFC 3261, 18.2.2; RFC 3581, section 4): always to the address that it came from, over
 * TCP and TLS on the same connection, over UDP to the port that its Via names.
 * @param request with `received` and `rport` in its Via
 */
export function responsePeerOf(request: { readonly headers: Headers }, from: Peer): Peer {
  if (from.transport !== 'udp') return from
  return { ...from, port: responseTargetOf(parseVia(headerOf(request, 'via') ?? '')).port }
}
