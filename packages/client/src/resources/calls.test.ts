import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jitter } from '../../test/support/jitter.ts'
import { createService } from '../../test/support/service.ts'
import { StillPending } from '../errors.ts'
import type { Call, CallEvent } from '../generated/types.ts'
import { createCalls } from './calls.ts'
import { createWebhookInbox } from './webhook-inbox.ts'

const call = (status: Call['status']): Call => ({
  call_id: 'call_1',
  status,
  to: '+9779812345678',
  agent_id: 'reminder',
  language: 'ne-NP',
  livemode: false,
  carrier: 'simulator',
  created_at: '2026-01-01T00:00:00Z',
})
const event = (type: CallEvent['type'], data: Call): CallEvent => ({
  event_id: 'evt_1',
  type,
  created_at: '2026-01-01T00:00:00Z',
  data,
})

test.each(['completed', 'failed'] as const)(
  'returns a call that has already %s after one read',
  async (status) => {
    const { options, requests } = createService(() => Response.json(call(status)))
    await expect(createCalls(options).waitUntilFinished('call_1')).resolves.toMatchObject({ status })
    expect(requests).toHaveLength(1)
  },
)

test('follows a call from the queue to its end', async () => {
  const statuses = ['queued', 'in-progress', 'in-progress', 'completed'] as const
  const { options, requests } = createService((_, number) =>
    Response.json(call(statuses[number - 1] ?? 'completed')),
  )
  await expect(createCalls(options).waitUntilFinished('call_1')).resolves.toMatchObject({
    status: 'completed',
  })
  expect(requests).toHaveLength(4)
})

test('reads a call every 1 to 10 s, less and less often, for at most 18 minutes', () =>
  fc.assert(
    fc.asyncProperty(jitter, async (random) => {
      const { options, clock } = createService(() => Response.json(call('in-progress')), { random })
      const startMs = clock.nowMs()
      await expect(createCalls(options).waitUntilFinished('call_1')).rejects.toBeInstanceOf(StillPending)
      expect(Math.min(...clock.waitsMs)).toBeGreaterThanOrEqual(1000)
      expect(Math.max(...clock.waitsMs)).toBeLessThanOrEqual(10_000)
      expect(clock.waitsMs[0]).toBeLessThan(2000)
      expect(clock.waitsMs.at(-1)).toBeGreaterThan(7000)
      expect(clock.nowMs() - startMs).toBeLessThanOrEqual(18 * 60_000)
      expect(clock.nowMs() - startMs).toBeGreaterThan(18 * 60_000 - 10_000)
    }),
    { numRuns: 20 },
  ))

test('reads at once after an event that the call has ended, but not after its other events', async () => {
  const inbox = createWebhookInbox()
  const { options, requests, clock } = createService(
    (_, number) => Response.json(call(number === 1 ? 'in-progress' : 'completed')),
    { passesWaits: false, random: () => 0 },
  )
  inbox.receive(event('call.queued', call('queued')))
  inbox.receive(event('call.in_progress', call('in-progress')))
  inbox.receive(event('call.completed', { ...call('completed'), call_id: 'call_2' }))
  const waiting = createCalls(options).waitUntilFinished('call_1', { inbox })
  await clock.untilSet(1000)
  expect(requests).toHaveLength(1)
  inbox.receive(event('call.completed', call('completed')))
  await expect(waiting).resolves.toMatchObject({ status: 'completed' })
  expect(requests).toHaveLength(2)
})
