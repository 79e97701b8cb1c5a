import { isIPv4, isIPv6 } from 'node:net'

/** An address as a number in its family. An IPv4-mapped IPv6 address becomes its IPv4 address. */
interface Address {
  family: 4 | 6
  value: bigint
}

interface AddressRange {
  family: 4 | 6
  first: bigint
  last: bigint
}

/** Ranges that the operator opened although they are refused by default. Made by `parseAllowedRanges`. */
export type AllowedRanges = readonly AddressRange[]

/**
 * Ranges that no webhook may go to, from IANA's registries of special-purpose addresses (RFC 6890 and RFC 8190, as of 2026):
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry.
 *
 * Node's `BlockList` does not work here: it applies IPv6 rules to IPv4 as well, so `::/3` would refuse every IPv4 address.
 */
const REFUSED_CIDRS = [
  '0.0.0.0/8', // this network, unspecified: RFC 791
  '10.0.0.0/8', // private: RFC 1918
  '100.64.0.0/10', // shared by carriers: RFC 6598; Alibaba's metadata service, 100.100.100.200, is in it
  '127.0.0.0/8', // loopback: RFC 1122
  '168.63.129.16/32', // Azure's host services, a public address that is internal on every Azure machine
  '169.254.0.0/16', // link-local: RFC 3927; the clouds' metadata service, 169.254.169.254, is in it
  '172.16.0.0/12', // private: RFC 1918
  '192.0.0.0/24', // protocol assignments: RFC 6890; Oracle's metadata service, 192.0.0.192, is in it
  '192.0.2.0/24', // documentation: RFC 5737
  '192.31.196.0/24', // AS112, which answers on the nearest node: RFC 7535
  '192.52.193.0/24', // multicast tunnels: RFC 7450
  '192.88.99.0/24', // 6to4 relays, deprecated: RFC 7526
  '192.168.0.0/16', // private: RFC 1918
  '192.175.48.0/24', // AS112: RFC 7534
  '198.18.0.0/15', // benchmarks: RFC 2544
  '198.51.100.0/24', // documentation: RFC 5737
  '203.0.113.0/24', // documentation: RFC 5737
  '224.0.0.0/4', // multicast: RFC 5771
  '240.0.0.0/4', // reserved: RFC 1112; broadcast: RFC 919

  // Only 2000::/3 is global unicast (RFC 4291). The next three rows refuse everything else, assigned or not.
  '::/3', // unspecified, loopback, IPv4-compatible, local NAT64 64:ff9b:1::/48 (RFC 8215), discard 100::/64 (RFC 6666)
  '4000::/2', // segment routing 5f00::/16: RFC 9602
  '8000::/1', // unique local (RFC 4193, and metadata at fd00:ec2::254), link-local, site-local, multicast
  '2001::/23', // protocol assignments: RFC 2928; Teredo (RFC 4380), benchmarks (RFC 5180), ORCHID (RFC 4843, RFC 7343)
  '2001:db8::/32', // documentation: RFC 3849
  '2002::/16', // 6to4, which embeds any IPv4 address, deprecated: RFC 3056, RFC 7526
  '2620:4f:8000::/48', // AS112: RFC 7534
  '3fff::/20', // documentation: RFC 9637
]

const MAPPED_PREFIX = 0xffffn
/** 64:ff9b::/96, through which a network's own translator reaches IPv4: RFC 6052. */
const NAT64_PREFIX = 0x64_ff9b_0000_0000_0000_0000n

const REFUSED = parseAllowedRanges(REFUSED_CIDRS)

/**
 * Parses CIDRs. An IPv6 CIDR opens no IPv4 address, unless it lies within `::ffff:0:0/96`.
 *
 * @throws RangeError if one is not a CIDR
 * @example
 * isAllowedAddress('127.0.0.1', parseAllowedRanges(['127.0.0.0/8'])) // true
 */
export function parseAllowedRanges(cidrs: readonly string[]): AllowedRanges {
  return cidrs.map(parseCidr)
}

/**
 * Whether a webhook may be sent to an address. Accepts any textual form that `node:net` takes for an IP address, except
 * addresses with a zone. Refuses anything else.
 *
 * @example
 * isAllowedAddress('169.254.169.254', []) // false
 */
export function isAllowedAddress(address: string, allowed: AllowedRanges): boolean {
  const parsed = parseAddress(address)
  if (parsed === undefined) return false
  return allowed.some((range) => contains(range, parsed)) || isPublic(parsed)
}

/** Whether an allowed range contains the address, regardless of the default rules. */
export function isOpenedAddress(address: string, allowed: AllowedRanges): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && allowed.some((range) => contains(range, parsed))
}

function isPublic(address: Address): boolean {
  // Behind DNS64 every IPv4 host has a NAT64 address, so judge the IPv4 address that it embeds.
  const reached =
    address.family === 6 && address.value >> 32n === NAT64_PREFIX
      ? { family: 4 as const, value: BigInt.asUintN(32, address.value) }
      : address
  return !REFUSED.some((range) => contains(range, reached))
}

function contains(range: AddressRange, address: Address): boolean {
  return range.family === address.family && range.first <= address.value && address.value <= range.last
}

function parseCidr(cidr: string): AddressRange {
  const [text = '', prefixText = '', ...rest] = cidr.split('/')
  const address = parseAddress(text)
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN
  if (address === undefined || rest.length > 0 || !(prefix <= (isIPv4(text) ? 32 : 128)))
    throw new RangeError('An allowed range is not a CIDR')
  // A mapped range counts its prefix from the start of the IPv6 address.
  const mapped = address.family === 4 && isIPv6(text)
  if (mapped && prefix < 96) return rangeAround({ family: 6, value: MAPPED_PREFIX << 32n }, prefix)
  return rangeAround(address, mapped ? prefix - 96 : prefix)
}

function rangeAround({ family, value }: Address, prefix: number): AddressRange {
  const hostBits = BigInt((family === 4 ? 32 : 128) - prefix)
  const first = (value >> hostBits) << hostBits
  return { family, first, last: first + (1n << hostBits) - 1n }
}

function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, value: parseIPv4(text) }
  if (!isIPv6(text) || text.includes('%')) return undefined
  const value = parseIPv6(text)
  return value >> 32n === MAPPED_PREFIX
    ? { family: 4, value: BigInt.asUintN(32, value) }
    : { family: 6, value }
}

function parseIPv4(text: string): bigint {
  return text.split('.').reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

/** Parses a text that `isIPv6` accepted, so the number and form of its groups are valid. */
function parseIPv6(text: string): bigint {
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  const embedded = isIPv4(tail) ? parseIPv4(tail) : undefined
  const hexadecimal =
    embedded === undefined
      ? text
      : `${text.slice(0, lastColon)}:${(embedded >> 16n).toString(16)}:${(embedded & 0xffffn).toString(16)}`
  const [head = [], rest = []] = hexadecimal
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - rest.length }, () => '0')
  return [...head, ...zeros, ...rest].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}
