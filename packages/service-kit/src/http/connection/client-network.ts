import { isIPv4, isIPv6 } from 'node:net'

/** An address with a port, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/
const MAPPED = /^::ffff:(\d+(?:\.\d+){3})$/i

/**
 * Returns the key for counting a caller's requests: its IPv4 address, or the /64 of its IPv6 address, because a site gets at
 * least that much (RFC 6177). Returns null if the text is not an address.
 */
export function clientNetwork(address: string): string | null {
  const [, bracketed, plain] = WITH_PORT.exec(address) ?? []
  const text = bracketed ?? plain ?? address
  const ipv4 = MAPPED.exec(text)?.[1] ?? text
  if (isIPv4(ipv4)) return ipv4
  const [ipv6 = ''] = text.split('%')
  return isIPv6(ipv6) ? firstGroups(ipv6) : null
}

const GROUPS_OF_PREFIX = 4

function firstGroups(ipv6: string): string {
  // The last two groups may be written as IPv4. They are not part of the prefix, so only their count matters.
  const [head = [], tail = []] = ipv6
    .replace(/\d+(?:\.\d+){3}$/, '0:0')
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  const groups = [...head, ...zeros, ...tail].slice(0, GROUPS_OF_PREFIX)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
