import { expect, test } from 'vitest'
import { createHealthBoard, down, joinHealth, type TrunkHealth, UP } from './trunk-health.ts'

const UNKNOWN: TrunkHealth = { state: 'unknown' }

test.each([
  ['unknown if nothing asks', [], UNKNOWN],
  ['unknown until every source knows', [UP, UNKNOWN], UNKNOWN],
  ['up once every source says so', [UP, UP], UP],
  ['down as soon as one source says so', [UNKNOWN, down('unregistered', 403)], down('unregistered', 403)],
  ['down for the first reason', [down('timeout'), down('unregistered')], down('timeout')],
])('a trunk is %s', (_, sources, health) => {
  expect(joinHealth(sources)).toEqual(health)
})

test('each change is reported once', () => {
  const board = createHealthBoard()
  const seen: TrunkHealth[] = []
  board.onChange((health) => seen.push(health))
  const [learn, other] = [board.source(), board.source()]
  for (const health of [UP, UP, down('refused', 503), down('refused', 503), down('timeout'), UP])
    learn(health)
  other(UP)
  expect(seen).toEqual([down('refused', 503), down('timeout'), UNKNOWN, UP])
})
