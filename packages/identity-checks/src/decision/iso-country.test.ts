import { expect, test } from 'vitest'
import { toIsoCountry } from './iso-country.ts'

test.each([
  ['D', 'DEU'],
  ['NPL', 'NPL'],
  ['YEM', 'YEM'],
  ['ZWE', 'ZWE'],
  ['GBR', 'GBR'],
  ['GBO', 'GBR'],
  ['UTO', null],
  ['RKS', null],
  ['XXA', null],
  ['XOM', null],
  ['US', null],
  [null, null],
])('%s is %s', (icao, iso) => {
  expect(toIsoCountry(icao)).toBe(iso)
})
