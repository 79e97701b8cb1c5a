import { isIP } from 'node:net'
import { parameterOf } from '../message/parameters.ts'
import { SipParseError } from '../message/sip-parse-error.ts'
import { parseSipUri, type SipUri } from '../message/uri.ts'
import type { Peer, TransportName } from '../transport/flow.ts'

/**
 * Returns where a request within a dialog goes. A name rather than an address means the trunk itself: a call must not wait for DNS, nor
 * end because a trunk names itself by a host that only it can resolve.
 *
 * @param uri of the next hop: a Route, or the remote target
 * @param trunk the peer that the INVITE went to
 */
export function peerAt(uri: string, trunk: Peer): Peer {
  const parsed = readSipUri(uri)
  if (!parsed || isIP(parsed.host) === 0) return trunk
  const transport = transportOf(parsed) ?? trunk.transport
  const port = parsed.port ?? (transport === 'tls' ? 5061 : 5060)
  const { serverName } = trunk
  return { transport, address: parsed.host, port, ...(serverName !== undefined && { serverName }) }
}

function readSipUri(uri: string): SipUri | undefined {
  try {
    return parseSipUri(uri)
  } catch (error) {
    if (error instanceof SipParseError) return undefined
    throw error
  }
}

function transportOf(uri: SipUri): TransportName | undefined {
  if (uri.scheme === 'sips') return 'tls'
  const name = parameterOf(uri, 'transport')?.toLowerCase()
  return name === 'udp' || name === 'tcp' || name === 'tls' ? name : undefined
}
