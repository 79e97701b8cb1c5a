import { isToken, trimSpaces } from './grammar.ts'
import { parseHostPort, serializeHostPort, type HostPort } from './host-port.ts'
import type { Headers } from './message.ts'
import {
  parameterOf,
  parseParameters,
  serializeParameters,
  withParameter,
  type Parameters,
} from './parameters.ts'
import { SipParseError } from './sip-parse-error.ts'

/** One Via value (RFC 3261, 20.42). Host and port are the `sent-by`. */
export interface Via extends HostPort {
  /** Upper case: `UDP`, `TCP`, `TLS`, or another that we do not speak. */
  readonly transport: string
  readonly parameters: Parameters
}

/** Start of each branch that follows RFC 3261 (8.1.1.7), so that it identifies its transaction. */
export const BRANCH_COOKIE = 'z9hG4bK'

/** Reads one Via value. @throws SipParseError `malformed_via` */
export const parseVia = (value: string): Via => {
  const semicolon = value.indexOf(';')
  const sent = semicolon < 0 ? value : value.slice(0, semicolon)
  const [name = '', version = '', rest = ''] = sent.split('/').map(trimSpaces)
  const space = rest.search(/[ \t]/)
  const transport = rest.slice(0, Math.max(0, space)).toUpperCase()
  const hostPort = parseHostPort(trimSpaces(rest.slice(space + 1)))
  const isSip = name.toUpperCase() === 'SIP' && version === '2.0' && sent.split('/').length === 3
  if (!isSip || !isToken(transport) || hostPort === undefined) throw new SipParseError('malformed_via')
  try {
    return {
      transport,
      ...hostPort,
      parameters: semicolon < 0 ? [] : parseParameters(value.slice(semicolon)),
    }
  } catch (error) {
    throw error instanceof SipParseError ? new SipParseError('malformed_via') : error
  }
}

/** Writes a Via value. */
export const serializeVia = (via: Via): string =>
  `SIP/2.0/${via.transport} ${serializeHostPort(via)}${serializeParameters(via.parameters)}`

/**
 * Notes in the topmost Via where a request really came from: `received` (18.2.1), and `rport` if the sender asked for it (RFC 3581).
 * @param headers of a parsed request, or of a `Refusal`
 */
export const stampReceived = (
  headers: Headers,
  source: { readonly address: string; readonly port: number },
): Headers => {
  const index = headers.findIndex(([name]) => name === 'via')
  const value = headers[index]?.[1]
  if (value === undefined) return headers
  const via = parseVia(value)
  const asksForPort = parameterOf(via, 'rport') !== undefined
  // With rport, `received` is there even if it repeats the sent-by (RFC 3581, section 4). One that the sender wrote is never kept.
  const isNeeded = asksForPort || via.host !== source.address || parameterOf(via, 'received') !== undefined
  if (!isNeeded) return headers
  const received = withParameter(via.parameters, 'received', source.address)
  const parameters = asksForPort ? withParameter(received, 'rport', String(source.port)) : received
  return headers.with(index, ['via', serializeVia({ ...via, parameters })])
}

/** Ports that a sent-by without one stands for (18.1.1). */
const DEFAULT_PORT = 5060
const DEFAULT_TLS_PORT = 5061

/**
 * Returns where a response over UDP goes: `received` and `rport` before the sent-by (18.2.2; RFC 3581, section 4). Leaves `maddr` aside: only
 * multicast needs it, and it would let a sender aim our responses at others.
 */
export const responseTargetOf = (via: Via): { readonly host: string; readonly port: number } => {
  const fallback = via.port ?? (via.transport === 'TLS' ? DEFAULT_TLS_PORT : DEFAULT_PORT)
  const rport = Number(parameterOf(via, 'rport') ?? '')
  const isPort = Number.isInteger(rport) && rport > 0 && rport <= 65_535
  return { host: parameterOf(via, 'received') || via.host, port: isPort ? rport : fallback }
}
