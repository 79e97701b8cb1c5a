import { createId, idPattern } from '@vaani/contracts'
import { createIdMaker } from '@vaani/service-kit/ids'
import { expect, test } from 'vitest'
import { deriveEventId, type Entry } from './event-id.ts'

const CREATED_MS = Date.UTC(2026, 10, 29)
const WEEK_MS = 7 * 86_400_000
const derive = (entry: Partial<Entry> = {}, afterMs = 0) => {
  const clock = { nowMs: () => CREATED_MS + afterMs }
  return deriveEventId(
    { objectId: 'call_1', objectCreatedAt: new Date(CREATED_MS), type: 'call.completed', step: 2, ...entry },
    { clock, makeId: createIdMaker(clock) },
  )
}

test('the event of a change has the same id whenever it is written, and that of no other change', () => {
  expect(derive()).toMatch(idPattern('event'))
  expect(derive({}, WEEK_MS)).toBe(derive())
  const others = [derive({ type: 'call.failed' }), derive({ objectId: 'call_2' }), derive({ step: 3 })]
  expect(new Set([derive(), ...others]).size).toBe(4)
})

test('ids of events sort by the creation of their objects, and then as these went on', () => {
  const ids = [0, 1, 2].map((step) => derive({ step, type: `call.${9 - step}` }))
  expect(ids.toSorted()).toEqual(ids)
  const [first = ''] = ids
  expect(first > createId('event', { nowMs: CREATED_MS - 1, random: new Uint8Array(10).fill(255) })).toBe(
    true,
  )
})

test('of an object that is a week old, the time of an id is that of the event', () => {
  const id = derive({}, WEEK_MS + 1)
  expect(id).not.toBe(derive({}, WEEK_MS + 1))
  expect(id > createId('event', { nowMs: CREATED_MS + WEEK_MS, random: new Uint8Array(10).fill(255) })).toBe(
    true,
  )
})
