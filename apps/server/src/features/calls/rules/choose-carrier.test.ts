import { describe, expect, it } from 'vitest'
import { chooseCarrier, type CarrierRoutes } from './choose-carrier.ts'

const ROUTES: CarrierRoutes = {
  test: [{ carrier: 'simulator' }],
  live: [
    { carrier: 'own', accounts: ['acct_a'] },
    { carrier: 'ntc', prefixes: ['+977'] },
    { carrier: 'abroad', prefixes: ['+1', '+44'] },
  ],
}
const CALL = { livemode: true, accountId: 'acct_b', to: '+9779812345678' }

describe('the carrier of a call', () => {
  it.each([
    ['the one of its number', {}, 'ntc'],
    ['the first that fits', { accountId: 'acct_a' }, 'own'],
    ['another for another prefix', { to: '+447700900123' }, 'abroad'],
    ['that of its mode', { livemode: false }, 'simulator'],
    ['none for a number that no route has', { to: '+4930123456' }, undefined],
  ])('is %s', (_, changes, name) => {
    expect(chooseCarrier(ROUTES, { ...CALL, ...changes })).toBe(name)
  })
})
