import { isIPv6 } from 'node:net'
import { readNumber, trimSpaces } from './grammar.ts'

/** A host name, IPv4 address, or IPv6 address without brackets, and a port. */
export interface HostPort {
  readonly host: string
  readonly port?: number
}

/** Underscores break the grammar of `hostname`, but are common in private networks. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/

/** Reads `host [ ":" port ]`, allowing spaces around the colon as Via does. Returns undefined if malformed. */
export const parseHostPort = (text: string): HostPort | undefined => {
  const bracketed = text.startsWith('[')
  const hostEnd = bracketed ? text.indexOf(']') + 1 : text.indexOf(':')
  const end = hostEnd < 0 ? text.length : hostEnd
  const host = bracketed ? text.slice(1, end - 1) : trimSpaces(text.slice(0, end))
  // A zone is meaningful only on the machine that wrote it.
  const valid = bracketed ? isIPv6(host) && !host.includes('%') : NAME.test(host)
  if (!valid) return undefined
  const rest = trimSpaces(text.slice(end))
  if (rest === '') return { host }
  const port = rest.startsWith(':') ? readNumber(trimSpaces(rest.slice(1)), 65_535) : undefined
  return port === undefined || port === 0 ? undefined : { host, port }
}

/** Writes a host and its port, an IPv6 address in brackets. */
export const serializeHostPort = ({ host, port }: HostPort): string =>
  `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`
