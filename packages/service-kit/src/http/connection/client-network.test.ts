import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientNetwork } from './client-network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
])('%s is counted as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

test.each(['', 'unknown', '_hidden', '1.2.3', '1.2.3.4.5', '[1.2.3.4', 'a'.repeat(10_000), '::g'])(
  '%j is no address',
  (address) => {
    expect(clientNetwork(address)).toBeNull()
  },
)

test('addresses in one /64 are one caller, and those in two are two', () => {
  const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 })
  const write = (numbers: number[]) => numbers.map((number) => number.toString(16)).join(':')
  fc.assert(
    fc.property(groups, groups, groups, groups, (site, otherSite, host, otherHost) => {
      const network = clientNetwork(write([...site, ...host]))
      expect(clientNetwork(write([...site, ...otherHost]))).toBe(network)
      const isSame = write(site) === write(otherSite)
      expect(clientNetwork(write([...otherSite, ...host])) === network).toBe(isSame)
    }),
  )
})
