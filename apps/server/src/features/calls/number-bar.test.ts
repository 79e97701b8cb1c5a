import { describe, expect, it } from 'vitest'
import { createNumberBar } from './number-bar.ts'
import type { CarrierRoutes } from './rules/choose-carrier.ts'

const ROUTES: CarrierRoutes = {
  test: [{ carrier: 'simulator' }],
  live: [
    { carrier: 'line', prefixes: ['+44'] },
    { carrier: 'line', prefixes: ['+8816'], accounts: ['acct_a'] },
    { carrier: 'trunk' },
  ],
}
const MOBILE = '+447700900123'
const PREMIUM = '+449012345678'
const SATELLITE = '+881612345678'

function setUp() {
  const counted: object[] = []
  const bar = createNumberBar(ROUTES, { barred: { add: (labels) => void counted.push(labels) } })
  const find = (carrier: string, to: string, accountId = 'acct_a') =>
    bar.find({ livemode: carrier !== 'simulator', accountId, to, carrier }, 'dial')
  return { counted, find }
}

describe('the bar of numbers', () => {
  it('lets a line dial what its routes list', () => {
    const { counted, find } = setUp()
    expect([find('line', MOBILE), find('line', SATELLITE)]).toEqual([null, null])
    expect(counted).toEqual([])
  })

  it('keeps every line, also one of a module, from premium rates, and counts that', () => {
    const { counted, find } = setUp()
    expect([find('line', PREMIUM), find('trunk', PREMIUM)]).toEqual(['premium_rate', 'premium_rate'])
    expect(counted).toEqual([1, 2].map(() => ({ state: 'dial', reason: 'premium_rate' })))
  })

  it('keeps a line from a number that none of its routes has any more', () => {
    const { find } = setUp()
    expect([find('line', '+9779812345678'), find('removed', MOBILE)]).toEqual(['no_route', 'no_route'])
  })

  it('does not lend a prefix of one account to another', () => {
    expect(setUp().find('line', SATELLITE, 'acct_b')).toBe('no_route')
    expect(setUp().find('trunk', SATELLITE)).toBe('global_network')
  })

  it('lets a simulator play any number', () => {
    expect(setUp().find('simulator', PREMIUM)).toBeNull()
  })
})
