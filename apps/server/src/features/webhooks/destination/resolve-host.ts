import { lookup, Resolver } from 'node:dns/promises'
import { isInternalName, isLocalhost } from './internal-name.ts'

/** Resolves a host name to its addresses; rejects if there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** Short enough to fit into a connect timeout even if the first try is lost, because the second waits twice as long. */
const TRY_TIMEOUT_MS = 1000
const TRIES = 2

/**
 * Queries the DNS directly instead of using `dns.lookup`, which would hold one of the process's few threads for files and
 * hashing until the name servers respond, and those are chosen by the author of the URL. `/etc/hosts` and search domains
 * therefore apply only to internal names, which the operator opened.
 *
 * @param servers name servers in the form that `Resolver.setServers` takes; the system's by default
 */
export function createHostResolver({ servers }: { servers?: readonly string[] } = {}): ResolveHost {
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  return async (hostname) => {
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1']
    if (isInternalName(hostname)) return (await lookup(hostname, { all: true })).map(({ address }) => address)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failure = answers.find((answer) => answer.status === 'rejected')
    if (addresses.length === 0 && failure !== undefined) throw failure.reason
    return addresses
  }
}
