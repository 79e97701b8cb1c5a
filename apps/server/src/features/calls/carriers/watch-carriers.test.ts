import type { Carrier, CarrierHealth } from '@vaani/telephony'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createCarrierWatch, describeHealth } from './watch-carriers.ts'

const [INFO, WARN] = [30, 40]
const AT = Date.parse('2026-12-01T08:00:00Z')
const refused = { state: 'down', sinceMs: AT, reason: 'refused', sipStatus: 503 } as const

function watched(states: CarrierHealth[]) {
  const written: object[] = []
  const line: Pick<Carrier, 'health'> = { health: () => states.shift() ?? { state: 'unknown' } }
  const log = pino({ base: null, timestamp: false }, { write: (text) => void written.push(JSON.parse(text)) })
  const watch = createCarrierWatch({
    carriers: new Map([
      ['line', line],
      ['simulator', {}],
    ]),
    log,
  })
  return { watch, written }
}

test('each change of a carrier is logged once, with its reason', () => {
  const up = { state: 'up', sinceMs: AT } as const
  const states: CarrierHealth[] = [{ state: 'unknown' }, up, up, refused, refused, up]
  const { watch, written } = watched([...states])
  for (const _ of states) watch.check()
  expect(written).toEqual([
    { level: INFO, carrier: 'line', msg: 'A carrier is up' },
    { level: WARN, carrier: 'line', reason: 'refused', status: 503, msg: 'A carrier is down' },
    { level: INFO, carrier: 'line', msg: 'A carrier is up' },
  ])
})

test('a carrier that knows nothing of its health has none', () => {
  const { watch } = watched([refused])
  watch.check()
  expect([watch.health('line'), watch.health('simulator')]).toEqual([refused, undefined])
  expect(watch.describe()).toEqual({ line: 'down since 2026-12-01T08:00:00.000Z: refused (503)' })
})

test.each([
  [{ state: 'unknown' }, 'unknown'],
  [{ state: 'up', sinceMs: AT }, 'up'],
  [{ state: 'down', sinceMs: AT, reason: 'timeout' }, 'down since 2026-12-01T08:00:00.000Z: timeout'],
] as const)('%o is described as %s', (health, description) => {
  expect(describeHealth(health)).toBe(description)
})
