import { describe, expect, it } from 'vitest'
import { carriersToTry, chooseCarrier, type CarrierRoutes } from './choose-carrier.ts'

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

describe('the carriers to try', () => {
  const routes: CarrierRoutes = {
    test: [{ carrier: 'simulator' }, { carrier: 'ntc' }],
    live: [
      { carrier: 'ncell', prefixes: ['+97798'] },
      { carrier: 'ntc', prefixes: ['+977'] },
      { carrier: 'ncell', prefixes: ['+977'] },
      { carrier: 'simulator' },
      { carrier: 'abroad', prefixes: ['+44'] },
      { carrier: 'any' },
    ],
  }
  it.each([
    ['that of the call, then the later ones that fit, each once', {}, [], ['ncell', 'ntc', 'any']],
    ['none before that of the call', { carrier: 'ntc' }, [], ['ntc', 'any']],
    ['none whose trunk is down', {}, ['ncell', 'any'], ['ntc']],
    ['that of the call if all are down', {}, ['ncell', 'ntc', 'any'], ['ncell']],
    ['that of the call alone if no route leads to it any more', { carrier: 'gone' }, [], ['gone']],
    ['none whose channels are counted, but for its own', {}, [], ['ncell', 'any'], ['ncell', 'ntc']],
    ['no phone line in place of a simulator', { livemode: false, carrier: 'simulator' }, [], ['simulator']],
  ])('are %s', (_, changes, down, names, counted = []) => {
    const call = { ...CALL, carrier: 'ncell', ...changes }
    const describe = (name: string) => ({
      isDown: new Set<string>(down).has(name),
      isCounted: new Set<string>(counted).has(name),
    })
    expect(carriersToTry(routes, call, describe)).toEqual(names)
  })
})
