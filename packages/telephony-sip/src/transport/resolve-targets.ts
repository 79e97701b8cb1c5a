import { isIP } from 'node:net'
import type { AddressFamily, DnsResolver, SrvRecord } from './dns-resolver.ts'
import type { Peer, TransportName } from './flow.ts'
import { orderServices } from './order-services.ts'

/** Where to send requests, as a person writes it down. */
export interface Target {
  /** A name, or an address; IPv6 without brackets. */
  readonly host: string
  /** With a port, only addresses are looked up. */
  readonly port?: number
  readonly transport: TransportName
}

export interface ResolveOptions {
  /** See `systemResolver` and `cacheRecords`. */
  readonly resolver: DnsResolver
  /** Family of the local address. */
  readonly family: AddressFamily
  /** Returns numbers from 0 to below 1. Default `Math.random`. */
  readonly random?: () => number
}

/** Names of each transport in NAPTR and SRV records, and its port without them (RFC 3263, sections 4.1 and 4.2). */
const SERVICES = {
  udp: { naptr: 'SIP+D2U', srv: '_sip._udp', port: 5060 },
  tcp: { naptr: 'SIP+D2T', srv: '_sip._tcp', port: 5060 },
  tls: { naptr: 'SIPS+D2T', srv: '_sips._tcp', port: 5061 },
} as const satisfies Record<TransportName, { naptr: string; srv: string; port: number }>

/** More are not tried before a caller gives up. */
const MAX_SERVICES = 16
const MAX_PEERS = 32

/**
 * Finds the peers of a target (RFC 3263), in the order to try them in: the next if one fails, times out, or answers 503. The
 * transport is given, so that of the NAPTR records only those of this transport count. Empty if there are none.
 */
export async function resolveTargets(target: Target, options: ResolveOptions): Promise<readonly Peer[]> {
  const { host, transport, port } = target
  // The name that was asked for, not what DNS made of it, is what the certificate must prove (RFC 5922, section 7.3).
  const peerAt = (address: string, port: number): Peer => ({
    transport,
    address,
    port,
    ...(transport === 'tls' && { serverName: host }),
  })
  const defaultPort = SERVICES[transport].port
  if (isIP(host) !== 0) return [peerAt(host, port ?? defaultPort)]
  const services = port === undefined ? await findServices(target, options) : []
  const places = services.length > 0 ? services : [{ name: host, port: port ?? defaultPort }]
  const peers: Peer[] = []
  for (const place of places.slice(0, MAX_SERVICES)) {
    // A target of `.` means that there is no such service (RFC 2782).
    if (place.name === '' || place.name === '.') continue
    const records = await orNone(options.resolver.addresses(place.name, options.family))
    peers.push(...records.map(({ address }) => peerAt(address, place.port)))
  }
  return peers.slice(0, MAX_PEERS)
}

async function findServices(
  { host, transport }: Target,
  { resolver, random = Math.random }: ResolveOptions,
): Promise<readonly SrvRecord[]> {
  const { naptr, srv } = SERVICES[transport]
  const rules = (await orNone(resolver.naptr(host)))
    .filter(({ flags, service }) => flags.toLowerCase() === 's' && service.toUpperCase() === naptr)
    .toSorted((one, other) => one.order - other.order || one.preference - other.preference)
  const names = rules.length > 0 ? rules.map(({ replacement }) => replacement) : [`${srv}.${host}`]
  for (const name of names) {
    const records = await orNone(resolver.srv(name))
    if (records.length > 0) return orderServices(records, random)
  }
  return []
}

/** Many resolvers fail on rare types of records, and most trunks have none. */
async function orNone<Entry>(records: Promise<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await records
  } catch {
    return []
  }
}
