import { isIP } from 'node:net'
import { isAllowedAddress, isOpenedAddress } from './address-ranges.ts'
import type { AllowedRanges } from './address-ranges.ts'
import { isInternalName } from './internal-name.ts'

/** The parts of a URL that decide where a request goes. */
export interface Destination {
  protocol: string
  /** Without the brackets of an IPv6 address. */
  hostname: string
}

/** Returns the destination of a parsed URL. `URL` has brought IP addresses into their canonical spelling. */
export function destinationOf(url: URL): Destination {
  return { protocol: url.protocol, hostname: url.hostname.replace(/^\[(.*)\]$/, '$1') }
}

/**
 * Returns the rule for the addresses of a destination. Plain http and internal names may reach opened ranges only; https to
 * any other host may reach public addresses as well.
 */
export function permitAddressOf(
  { protocol, hostname }: Destination,
  allowed: AllowedRanges,
): (address: string) => boolean {
  const openedOnly = protocol !== 'https:' || (isIP(hostname) === 0 && isInternalName(hostname))
  const judge = openedOnly ? isOpenedAddress : isAllowedAddress
  return (address) => judge(address, allowed)
}
