import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { AllowedRanges } from './address-ranges.ts'
import { isInternalName } from './internal-name.ts'
import { destinationOf, permitAddressOf } from './permitted-address.ts'
import type { Destination } from './permitted-address.ts'
import { createHostResolver } from './resolve-host.ts'
import type { ResolveHost } from './resolve-host.ts'

/** Why a URL may not receive webhooks. */
export type DestinationRefusal =
  | 'url_invalid'
  | 'scheme_not_allowed'
  | 'credentials_not_allowed'
  | 'port_not_allowed'
  | 'host_not_allowed'
  | 'address_not_allowed'

export type DestinationVerdict = { ok: true } | { ok: false; reason: DestinationRefusal }

export interface CheckDestinationOptions {
  allowed: AllowedRanges
  resolve?: ResolveHost
  /** Timeout of the DNS lookup. */
  resolveTimeoutMs?: number
}

const RESOLVE_TIMEOUT_MS = 2000

/** Ports that browsers block because other protocols use them: https://fetch.spec.whatwg.org/#port-blocking. */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

const systemResolve = createHostResolver()

/**
 * Checks whether a URL may be stored as a webhook destination: https to a public host, or anything that resolves into the
 * operator's ranges. Plain http and internal names must resolve into those ranges.
 *
 * This check only gives an early, clear error. The protection is the guarded agent, which judges the address that it dials.
 * A name that the DNS cannot resolve now therefore passes: its zone may be created later, or its servers be down for a
 * minute, and a submission must not fail because of that. Never throws.
 *
 * @example
 * await checkDestination('https://169.254.169.254/', { allowed: [] }) // { ok: false, reason: 'address_not_allowed' }
 */
export async function checkDestination(
  text: string,
  { allowed, resolve = systemResolve, resolveTimeoutMs = RESOLVE_TIMEOUT_MS }: CheckDestinationOptions,
): Promise<DestinationVerdict> {
  const url = URL.parse(text)
  if (url === null) return refuse('url_invalid')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('scheme_not_allowed')
  if (url.username !== '' || url.password !== '') return refuse('credentials_not_allowed')
  if (url.port !== '' && REFUSED_PORTS.has(Number(url.port))) return refuse('port_not_allowed')

  const destination = destinationOf(url)
  const refusal = refusalOf(destination)
  // Without opened ranges no DNS answer could lift the refusal.
  if (refusal !== 'address_not_allowed' && allowed.length === 0) return refuse(refusal)

  const permits = permitAddressOf(destination, allowed)
  const addresses =
    isIP(destination.hostname) === 0
      ? await resolveWithin(() => resolve(destination.hostname), resolveTimeoutMs)
      : [destination.hostname]
  const unknown = addresses.length === 0 && refusal === 'address_not_allowed'
  return unknown || addresses.some(permits) ? { ok: true } : refuse(refusal)
}

function refuse(reason: DestinationRefusal): DestinationVerdict {
  return { ok: false, reason }
}

/** Returns why a destination is refused if none of its addresses is permitted. */
function refusalOf({ protocol, hostname }: Destination): DestinationRefusal {
  if (protocol === 'http:') return 'scheme_not_allowed'
  return isIP(hostname) === 0 && isInternalName(hostname) ? 'host_not_allowed' : 'address_not_allowed'
}

/** Returns no addresses if the DNS has none, fails, or is late, because all three are equally inconclusive. */
async function resolveWithin(
  resolve: () => Promise<readonly string[]>,
  timeoutMs: number,
): Promise<readonly string[]> {
  const settled = new AbortController()
  try {
    return await Promise.race([resolve(), setTimeout(timeoutMs, [], { signal: settled.signal })])
  } catch {
    return []
  } finally {
    settled.abort()
  }
}
