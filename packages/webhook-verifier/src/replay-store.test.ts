import { expect, test } from 'vitest'
import { createMemoryReplayStore, createTestDelivery, createVerifier } from './index.ts'

const secrets = 'secret'
const event = { event_id: 'evt_1' }

test('accepts an event once, and again after its id is released', async () => {
  const verifier = createVerifier({ secrets, replayStore: createMemoryReplayStore() })
  const { body, headers } = await createTestDelivery(event, { secrets })
  const attempts = await Promise.all([1, 2, 3].map(() => verifier.verify(body, headers)))
  expect(attempts.filter((result) => result.ok)).toHaveLength(1)
  expect(await verifier.verify(body, headers)).toMatchObject({ code: 'replayed' })
  // Without the headers for time and id, it is still the same event.
  const less = { 'x-service-signature': headers['x-service-signature'] }
  expect(await verifier.verify(body, less)).toMatchObject({ code: 'replayed' })
  await verifier.release('evt_1')
  expect(await verifier.verify(body, headers)).toMatchObject({ ok: true, id: 'evt_1' })
})

test('ignores an id that no signature covers', async () => {
  const verifier = createVerifier({ secrets, replayStore: createMemoryReplayStore() })
  const { body, headers } = await createTestDelivery({}, { secrets, id: 'msg_1' })
  expect(await verifier.verify(body, headers)).toMatchObject({ ok: true, id: 'msg_1' })
  const unsigned = { 'x-service-signature': headers['x-service-signature'], 'webhook-id': 'msg_2' }
  expect(await verifier.verify(body, unsigned)).toMatchObject({ code: 'missing_id' })
})

test('does not claim the id of a refused delivery', async () => {
  const replayStore = createMemoryReplayStore()
  const { body, headers } = await createTestDelivery(event, { secrets })
  await createVerifier({ secrets: 'another', replayStore }).verify(body, headers)
  expect(replayStore.claim('evt_1', 1)).toBe(true)
})

test('forgets ids when they expire, and the oldest beyond the maximum', () => {
  let nowMs = 0
  const store = createMemoryReplayStore({ maximumIds: 2, clock: () => nowMs })
  expect(store.claim('a', 10)).toBe(true)
  nowMs = 9999
  expect(store.claim('a', 10)).toBe(false)
  nowMs = 10_000
  expect(store.claim('a', 10)).toBe(true)
  expect([store.claim('b', 10), store.claim('c', 10)]).toEqual([true, true])
  expect([store.claim('b', 10), store.claim('c', 10), store.claim('a', 10)]).toEqual([false, false, true])
  expect(() => createMemoryReplayStore({ maximumIds: 0 })).toThrow(RangeError)
})
