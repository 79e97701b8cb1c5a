/** Domains that no public name server serves: RFC 6761, RFC 6762 with its appendix G, RFC 8375, ICANN's `.internal`. */
const INTERNAL_DOMAINS = [
  'corp',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
]

/**
 * Whether a host name has a meaning only within a network: a single label, or a name under a domain reserved for such use.
 *
 * @param hostname in lower case, as parsed by `URL`; not an IP address
 */
export function isInternalName(hostname: string): boolean {
  const name = withoutRootDot(hostname)
  const labels = name.split('.')
  // Resolvers disagree on names with an empty label, so refuse them.
  if (labels.length === 1 || labels.includes('')) return true
  return INTERNAL_DOMAINS.some((domain) => name.endsWith(`.${domain}`))
}

/** Whether a name is `localhost` or under it. By RFC 6761 it is loopback and must not be looked up in the DNS. */
export function isLocalhost(hostname: string): boolean {
  const name = withoutRootDot(hostname)
  return name === 'localhost' || name.endsWith('.localhost')
}

function withoutRootDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}
