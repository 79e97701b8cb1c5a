/** Domains that no public name server answers for: RFC 6761, RFC 6762 with its appendix G, RFC 8375, ICANN's `.internal`. */
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
 * Whether a host name means something only within some network: one label, or under a domain kept for such use.
 *
 * @param hostname in lower case, as `URL` gives it; no IP address
 */
export function isInternalName(hostname: string): boolean {
  const name = withoutRootDot(hostname)
  const labels = name.split('.')
  // An empty label is no name at all: resolvers differ in what they make of it.
  if (labels.length === 1 || labels.includes('')) return true
  return INTERNAL_DOMAINS.some((domain) => name.endsWith(`.${domain}`))
}

/** Whether a name is `localhost` or under it, which RFC 6761 says is loopback and never asked of the DNS. */
export function isLocalhost(hostname: string): boolean {
  const name = withoutRootDot(hostname)
  return name === 'localhost' || name.endsWith('.localhost')
}

function withoutRootDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}
