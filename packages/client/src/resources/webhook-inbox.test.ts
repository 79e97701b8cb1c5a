import { expect, test } from 'vitest'
import type { CallEvent } from '../generated/types.ts'
import { createWebhookInbox } from './webhook-inbox.ts'

const event = (event_id: string): CallEvent => ({
  event_id,
  type: 'call.queued',
  created_at: '2026-01-01T00:00:00Z',
  data: {
    call_id: 'call_1',
    status: 'queued',
    to: '+9779812345678',
    agent_id: 'reminder',
    language: 'ne-NP',
    livemode: false,
    carrier: 'simulator',
    created_at: '2026-01-01T00:00:00Z',
  },
})
const hasId =
  (id: string) =>
  ({ event_id }: { event_id: string }): boolean =>
    event_id === id
/** Settles like the promise, if that has already settled. */
const settled = <Value>(promise: Promise<Value>): Promise<Value | 'waiting'> =>
  Promise.race([promise, Promise.resolve('waiting' as const)])

test('resolves with an event that arrived before the wait', async () => {
  const inbox = createWebhookInbox()
  inbox.receive(event('evt_1'))
  await expect(inbox.waitFor(hasId('evt_1'))).resolves.toEqual(event('evt_1'))
})

test('resolves every matching wait with a later event, and skips other events', async () => {
  const inbox = createWebhookInbox()
  const [first, second] = [inbox.waitFor(hasId('evt_2')), inbox.waitFor(hasId('evt_2'))]
  inbox.receive(event('evt_1'))
  await expect(settled(first)).resolves.toBe('waiting')
  inbox.receive(event('evt_2'))
  await expect(first).resolves.toEqual(event('evt_2'))
  await expect(second).resolves.toEqual(event('evt_2'))
})

test('keeps only the latest events', async () => {
  const inbox = createWebhookInbox({ maximumEvents: 2 })
  for (const id of ['evt_1', 'evt_2', 'evt_3']) inbox.receive(event(id))
  await expect(settled(inbox.waitFor(hasId('evt_1')))).resolves.toBe('waiting')
  await expect(inbox.waitFor(hasId('evt_2'))).resolves.toEqual(event('evt_2'))
})

test('rejects with the reason if aborted before or during the wait', async () => {
  const inbox = createWebhookInbox()
  const controller = new AbortController()
  const waiting = inbox.waitFor(hasId('evt_1'), { signal: controller.signal })
  const reason = new Error('enough')
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(inbox.waitFor(hasId('evt_1'), { signal: controller.signal })).rejects.toBe(reason)
})

test('does not call the matcher of an aborted wait', async () => {
  const inbox = createWebhookInbox()
  const controller = new AbortController()
  let asked = 0
  const waiting = inbox.waitFor(() => (asked += 1) < 0, { signal: controller.signal })
  controller.abort()
  await expect(waiting).rejects.toThrow('aborted')
  inbox.receive(event('evt_1'))
  expect(asked).toBe(0)
})

test('a matcher that throws rejects only its own wait, not the webhook receiver or other waits', async () => {
  const inbox = createWebhookInbox()
  const failing = inbox.waitFor(() => {
    throw new RangeError('a mistake')
  })
  const other = inbox.waitFor(hasId('evt_1'))
  inbox.receive(event('evt_1'))
  await expect(failing).rejects.toThrow(RangeError)
  await expect(other).resolves.toEqual(event('evt_1'))
})
