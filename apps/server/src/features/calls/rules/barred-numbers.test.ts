import fc from 'fast-check'
import { isE164 } from '@vaani/contracts'
import { describe, expect, it } from 'vitest'
import { barOf } from './barred-numbers.ts'

describe('a phone line', () => {
  it.each([
    ['a mobile in Nepal', '+9779812345678'],
    ['a landline in Nepal', '+97714412345'],
    ['a landline in Italy, whose national number begins with 0', '+390612345678'],
    ['a mobile in the United Kingdom', '+447700900123'],
    ['a toll-free number', '+18005550123'],
    ['a universal access number at the price of a landline', '+443001234567'],
    ['a personal number of North America', '+15005550001'],
    ['a range that is not assigned yet', '+9779512345678'],
  ])('dials %s', (_, to) => {
    expect(barOf(to, ['+'])).toBeNull()
  })

  it.each([
    ['premium_rate', '+449012345678'],
    ['premium_rate', '+19005550123'],
    ['premium_rate', '+979123456789'],
    ['shared_cost', '+491805012345'],
    ['shared_cost', '+80812345678'],
    ['pager', '+447640123456'],
    ['personal_number', '+447012345678'],
    ['personal_number', '+87810123456789'],
    ['emergency', '+19115550123'],
    ['emergency', '+44999123456'],
    ['emergency', '+9771001234567'],
    ['emergency', '+4911012'],
    ['global_network', '+870773123456'],
    ['global_network', '+881612345678'],
    ['global_network', '+88213123456'],
    ['global_network', '+883510012345'],
  ])('never dials a number that is %s', (bar, to) => {
    expect(barOf(to, ['+', '+977', '+44', '+1', to.slice(0, 4)])).toBe(bar)
  })

  it('never dials a short code', () => {
    expect(barOf('+4922833', ['+49'])).toBe('short_code')
  })

  it('dials a satellite if a route lists more of it than its country code', () => {
    expect(barOf('+881612345678', ['+8816'])).toBeNull()
    expect(barOf('+88213123456', ['+8816', '+88213'])).toBeNull()
    expect(barOf('+881712345678', ['+8816'])).toBe('global_network')
  })

  it.each(['+979123456789', '+87810123456789'])('never dials %s, however it is listed', (to) => {
    expect(barOf(to, [to])).toBe(barOf(to, []))
    expect(barOf(to, [to])).not.toBeNull()
  })

  it('judges every number that the API takes', () => {
    const numbers = fc.stringMatching(/^\+[1-9]\d{6,14}$/).filter((to) => isE164(to))
    fc.assert(fc.property(numbers, (to) => void barOf(to, ['+'])))
  })
})
