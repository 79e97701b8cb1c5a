import { expect, test } from 'vitest'
import { zonesOf } from './number-zones.ts'

test.each([
  // The table has former names of some zones.
  ['+9779812345678', ['Asia/Katmandu']],
  ['+919812345678', ['Asia/Calcutta']],
  ['+442079460018', ['Europe/London']],
  ['+12125550123', ['America/New_York']],
  // Idaho: the exchange decides between two zones, and one that is not listed may be in either.
  ['+12082015555', ['America/Denver']],
  ['+12082995555', ['America/Boise', 'America/Los_Angeles']],
])('%s is in %o', (number, zones) => expect(zonesOf(number)).toEqual(zones))

test('a number of a country with several zones may be in any of them', () => {
  expect(zonesOf('+18005550123')).toContain('Pacific/Honolulu')
  expect(zonesOf('+18005550123')).toContain('America/New_York')
})

test('a number of no country is in no zone', () => {
  expect(zonesOf('+9990000000')).toEqual([])
  expect(zonesOf('+')).toEqual([])
})
