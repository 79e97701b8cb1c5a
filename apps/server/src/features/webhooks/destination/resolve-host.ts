import { lookup, Resolver } from 'node:dns/promises'
import { isInternalName, isLocalhost } from './internal-name.ts'

/** The addresses of a host name; rejects where there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** Within a connect timeout even where the first try is lost, as the second waits twice as long. */
const TRY_TIMEOUT_MS = 1000
const TRIES = 2

/**
 * Asks the DNS itself and not `dns.lookup`: that holds one of the process's few threads for files and hashing until the
 * name servers answer, and these are chosen by whoever gave the URL. So `/etc/hosts` and search domains count only for
 * internal names, which the operator opened.
 *
 * @param servers name servers, as `Resolver.setServers` takes them; those of the system by default
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
