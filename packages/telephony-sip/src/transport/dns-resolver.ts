import { lookup, Resolver } from 'node:dns/promises'

export type AddressFamily = 4 | 6

/** How a domain takes calls (RFC 3403). */
export interface NaptrRecord {
  readonly flags: string
  readonly service: string
  readonly replacement: string
  readonly order: number
  readonly preference: number
}

/** Where a service of a domain is (RFC 2782). */
export interface SrvRecord {
  readonly name: string
  readonly port: number
  readonly priority: number
  readonly weight: number
}

export interface AddressRecord {
  readonly address: string
  readonly ttlSeconds: number
}

/** Looks up records. Each method rejects, or resolves with none, if there are none. */
export interface DnsResolver {
  naptr(name: string): Promise<readonly NaptrRecord[]>
  srv(name: string): Promise<readonly SrvRecord[]>
  addresses(name: string, family: AddressFamily): Promise<readonly AddressRecord[]>
}

/** For names that do not come from DNS, but for example from the hosts file. */
const LOCAL_TTL_SECONDS = 60

/** Short, because somebody waits for a call, and many name servers are silent about rare types of records. */
const nameServers = new Resolver({ timeout: 2000, tries: 2 })

/** Asks the name servers of this machine, and for addresses also its hosts file. */
export const systemResolver: DnsResolver = {
  naptr: (name) => nameServers.resolveNaptr(name),
  srv: (name) => nameServers.resolveSrv(name),
  async addresses(name, family) {
    try {
      const options = { ttl: true } as const
      const records = await (family === 4
        ? nameServers.resolve4(name, options)
        : nameServers.resolve6(name, options))
      return records.map(({ address, ttl }) => ({ address, ttlSeconds: ttl }))
    } catch {
      const found = await lookup(name, { family, all: true })
      return found.map(({ address }) => ({ address, ttlSeconds: LOCAL_TTL_SECONDS }))
    }
  },
}
