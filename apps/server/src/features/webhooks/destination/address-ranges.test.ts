import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAllowedAddress, isOpenedAddress, parseAllowedRanges } from './address-ranges.ts'

/** First and last address of each refused range, and the neighbours outside it if they are public. */
const REFUSED: [what: string, first: string, last: string, before?: string | undefined, after?: string][] = [
  ['this network', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['private, 10/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['metadata of Alibaba', '100.100.100.200', '100.100.100.200'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['host services of Azure', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['metadata', '169.254.169.254', '169.254.169.254'],
  ['private, 172.16/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation 1', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['AS112, dynamic', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['multicast tunnels', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private, 192.168/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['AS112, direct', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['benchmarks', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation 2', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation 3', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],

  ['unspecified and loopback', '::', '::1'],
  ['IPv4-compatible', '::8.8.8.8', '::ffff:ffff'],
  ['below and above IPv4-mapped', '::fffe:ffff:ffff', '::1:0:0:0'],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['beside the NAT64 prefix', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff', '64:ff9b::1:0:0'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['up to global unicast', '200::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2000::'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['benchmarks, IPv6', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHID', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  [
    'protocol assignments, IPv6',
    '2001:100::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    undefined,
    '2001:200::',
  ],
  [
    'documentation, IPv6',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '6to4',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    'AS112, IPv6',
    '2620:4f:8000::',
    '2620:4f:8000:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:8001::',
  ],
  [
    'documentation, new',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
  ['from global unicast', '4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unassigned', '6000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['metadata, IPv6', 'fd00:ec2::254', 'fd00:ec2::254'],
  ['link-local, IPv6', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast, IPv6', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

const ipv4 = fc.nat({ max: 0xff_ff_ff_ff }).map(dotted)
/** Half of the addresses are at the edge of a refused range, which random ones seldom hit. */
const anyIpv4 = fc.oneof(
  ipv4,
  fc
    .constantFrom(
      ...REFUSED.flatMap(([, ...addresses]) =>
        addresses.filter((address) => address?.includes('.') === true),
      ),
    )
    .filter((address): address is string => address !== undefined && !address.includes(':')),
)

function dotted(value: number): string {
  return [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff).join('.')
}

function groupsOf(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const mappedForms = (address: string) => [
  `::ffff:${address}`,
  `::FFFF:${groupsOf(address)}`,
  `0:0:0:0:0:ffff:${groupsOf(address)}`,
  `0000:0000:0000::ffff:${address}`,
]

describe('isAllowedAddress', () => {
  it.each(REFUSED)('refuses %s but not its public neighbours', (_what, first, last, before, after) => {
    expect(isAllowedAddress(first, [])).toBe(false)
    expect(isAllowedAddress(last, [])).toBe(false)
    if (before !== undefined) expect(isAllowedAddress(before, [])).toBe(true)
    if (after !== undefined) expect(isAllowedAddress(after, [])).toBe(true)
  })

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2A00:1450:4001:0830:0000:0000:0000:200e',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ])('allows the public %s', (address) => {
    expect(isAllowedAddress(address, [])).toBe(true)
  })

  it.each([
    '',
    'localhost',
    '127.1',
    '0x8.8.8.8',
    '08.8.8.8',
    '8.8.8',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '[::1]',
    '2606:::1',
  ])('refuses "%s", which is not an address', (text) => {
    expect(isAllowedAddress(text, parseAllowedRanges(['0.0.0.0/0', '::/0']))).toBe(false)
  })

  it('refuses an address with a zone', () => {
    expect(isAllowedAddress('2606:4700::1%eth0', [])).toBe(false)
  })

  it('judges a mapped address like its IPv4 address, in every spelling and under every allow-list', () => {
    const cidr = fc.tuple(anyIpv4, fc.nat({ max: 32 })).map(([address, prefix]) => `${address}/${prefix}`)
    fc.assert(
      fc.property(anyIpv4, fc.array(cidr, { maxLength: 3 }), (address, cidrs) => {
        const allowed = parseAllowedRanges(cidrs)
        for (const form of mappedForms(address))
          expect(isAllowedAddress(form, allowed)).toBe(isAllowedAddress(address, allowed))
      }),
    )
  })

  it('judges every other form that embeds an IPv4 address no more permissively than the address itself', () => {
    fc.assert(
      fc.property(anyIpv4, fc.stringMatching(/^[0-9a-f]{1,4}$/), (address, group) => {
        expect(isAllowedAddress(`64:ff9b::${groupsOf(address)}`, [])).toBe(isAllowedAddress(address, []))
        for (const form of [
          `64:ff9b:1:${group}::${address}`,
          `2002:${groupsOf(address)}:${group}::1`,
          `::${address}`,
          `2001:0:${groupsOf(address)}:${group}::${groupsOf(address)}`,
        ])
          expect(isAllowedAddress(form, [])).toBe(false)
      }),
    )
  })

  it('judges every spelling of an IPv6 address like the canonical one', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`https://[${address}]/`).hostname.slice(1, -1)
        expect(isAllowedAddress(address, [])).toBe(isAllowedAddress(canonical, []))
      }),
    )
  })
})

describe('parseAllowedRanges', () => {
  it.each([
    {
      cidr: '127.0.0.1/32',
      opens: ['127.0.0.1', '::ffff:7f00:1'],
      leaves: ['127.0.0.0', '127.0.0.2', '::1', '64:ff9b::7f00:1'],
    },
    { cidr: '10.1.2.3/16', opens: ['10.1.0.0', '10.1.255.255'], leaves: ['10.0.255.255', '10.2.0.0'] },
    {
      cidr: '0.0.0.0/0',
      opens: ['0.0.0.0', '255.255.255.255'],
      leaves: ['::1', '64:ff9b::a00:1', '2002:a00:1::'],
    },
    { cidr: '::1/128', opens: ['::1', '0:0:0:0:0:0:0:1'], leaves: ['::', '::2', '127.0.0.1'] },
    { cidr: 'fd00::/8', opens: ['fd00::', 'fdff:ffff::1'], leaves: ['fc00::', 'fe00::'] },
    { cidr: '64:ff9b::10.0.0.0/104', opens: ['64:ff9b::a00:1'], leaves: ['10.0.0.1', '64:ff9b::7f00:1'] },
    { cidr: '::ffff:10.0.0.0/104', opens: ['10.0.0.1', '::ffff:10.255.0.1'], leaves: ['127.0.0.1', '::1'] },
    { cidr: '::ffff:0:0/95', opens: ['::fffe:0:1'], leaves: ['10.0.0.1', '::ffff:10.0.0.1'] },
    { cidr: '::/0', opens: ['::1', 'ff02::1'], leaves: ['127.0.0.1', '::ffff:127.0.0.1'] },
  ])('opens exactly the addresses in $cidr', ({ cidr, opens, leaves }) => {
    const allowed = parseAllowedRanges([cidr])
    for (const address of opens)
      expect([address, isAllowedAddress(address, allowed)]).toEqual([address, true])
    for (const address of leaves)
      expect([address, isAllowedAddress(address, allowed)]).toEqual([address, false])
  })

  it('does not count public addresses as opened', () => {
    const allowed = parseAllowedRanges(['10.0.0.0/8'])
    expect(isAllowedAddress('8.8.8.8', allowed)).toBe(true)
    expect(isOpenedAddress('8.8.8.8', allowed)).toBe(false)
    expect(isOpenedAddress('::ffff:10.0.0.1', allowed)).toBe(true)
  })

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    'fe80::1%1/64',
    'a/8',
    '10/8',
    '1.1.1.1/1e1',
  ])('throws because "%s" is not a CIDR', (cidr) => {
    expect(() => parseAllowedRanges([cidr])).toThrow(RangeError)
  })
})
