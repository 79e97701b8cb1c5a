import { describe, expect, it } from 'vitest'
import { createNumberBar, describeBarred, failureOf } from './number-bar.ts'
import type { CarrierRoutes } from './rules/choose-carrier.ts'

const ROUTES: CarrierRoutes = {
  test: [{ carrier: 'simulator' }],
  live: [
    { carrier: 'line', prefixes: ['+44'] },
    { carrier: 'line', prefixes: ['+8816'], accounts: ['acct_a'], hours: 'any' },
    { carrier: 'daytime', prefixes: ['+8816'] },
    { carrier: 'trunk' },
    { carrier: 'unpinned', hours: 'any' },
    { carrier: 'pinned', timeZone: 'Asia/Kathmandu' },
  ],
}
const NOON_IN_LONDON = Date.UTC(2027, 0, 1, 12)
const MOBILE = '+447700900123'
const PREMIUM = '+449012345678'
const SATELLITE = '+881612345678'

function setUp() {
  const counted: object[] = []
  const bar = createNumberBar(ROUTES, { barred: { add: (labels) => void counted.push(labels) } })
  const find = (carrier: string, to: string, accountId = 'acct_a', dueMs = NOON_IN_LONDON) =>
    bar.find({ livemode: carrier !== 'simulator', accountId, to, carrier }, 'dial', dueMs)?.reason ?? null
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

describe('the hours of a line', () => {
  const EVENING_IN_LONDON = Date.UTC(2027, 0, 1, 21)
  // An area code that the table does not know may be anywhere from Guam to Bermuda.
  const ANYWHERE = '+17435550123'

  it('are those of the daytime where the number belongs, unless the file says something else', () => {
    const { find, counted } = setUp()
    expect(find('line', MOBILE, 'acct_a', EVENING_IN_LONDON)).toBe('outside_hours')
    expect(find('unpinned', MOBILE, 'acct_a', EVENING_IN_LONDON)).toBeNull()
    expect(counted).toEqual([{ state: 'dial', reason: 'outside_hours' }])
    const file = { ...ROUTES, hours: 'any' as const }
    const bar = createNumberBar(file, { barred: { add: () => undefined } })
    const call = { livemode: true, accountId: 'acct_a', to: MOBILE, carrier: 'line' }
    expect(bar.find(call, 'placement', EVENING_IN_LONDON)).toBeNull()
  })

  it('are told with the next time at which the number may be called', () => {
    const bar = createNumberBar(ROUTES, { barred: { add: () => undefined } })
    const call = { livemode: true, accountId: 'acct_a', to: MOBILE, carrier: 'line' }
    const barred = bar.find(call, 'placement', EVENING_IN_LONDON)
    expect(barred).toEqual({ reason: 'outside_hours', nextMs: Date.UTC(2027, 0, 2, 8) })
    const error = barred && describeBarred(barred, { number: 'to', time: 'scheduled_at' })
    expect(error?.message).toBe(
      'scheduled_at: it is not one of the hours at which the number may be called; from 2027-01-02T08:00:00.000Z on it is',
    )
    expect(failureOf(barred ?? { reason: 'no_route' })).toBe('outside-hours')
  })

  it('hold in every zone in which the number may be, and the operator can say where it is', () => {
    const { find } = setUp()
    expect(find('trunk', ANYWHERE)).toBe('outside_hours')
    expect(find('pinned', ANYWHERE)).toBeNull()
    expect(find('pinned', ANYWHERE, 'acct_a', EVENING_IN_LONDON)).toBe('outside_hours')
  })

  it('are not known of a number without a place', () => {
    expect(setUp().find('daytime', SATELLITE)).toBe('unknown_time_zone')
  })
})
