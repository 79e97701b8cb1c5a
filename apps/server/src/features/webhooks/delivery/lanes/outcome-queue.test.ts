import type { DeliveryAttempt } from '@vaani/contracts'
import { describe, expect, it } from 'vitest'
import { makeDelivery, makeLaneRow } from '../../../../../test/support/make-delivery.ts'
import { HeldLanes } from './held-lanes.ts'
import { beginAttempt, type Held, nextReady } from './lane.ts'
import type { Outcome } from './outcome.ts'
import { OutcomeQueue } from './outcome-queue.ts'
import { UnreadEvents } from './unread.ts'

const ATTEMPT: DeliveryAttempt = {
  at: '2026-01-01T00:00:00.000Z',
  status: 200,
  duration_ms: 1,
  error: null,
  response_excerpt: null,
}
const DELIVERED: Outcome = { type: 'ended', status: 'delivered', attempt: ATTEMPT }
const WAITS: Outcome = { type: 'waits', nextAttemptMs: 0 }

/** Events of one call on one lane, all in hand. */
function holdEvents(count: number) {
  const lanes = new HeldLanes()
  const queue = new OutcomeQueue(lanes, new UnreadEvents())
  const lane = lanes.hold(makeLaneRow())
  if (lane === undefined) throw new Error('The lane is not held')
  for (let position = 1; position <= count; position++) lanes.addNew(lane, makeDelivery(`${position}`), 0)
  const send = (): Held => {
    const held = nextReady(lane, true)
    if (held === undefined) throw new Error('Nothing is ready')
    beginAttempt(held, 0)
    return held
  }
  const inHand = (): string[] => [...lane.inHand.values()].map(({ delivery: { sequence } }) => sequence)
  return { queue, send, inHand }
}

describe('the queue of outcomes', () => {
  it('lets a delivery go once its end is written, after which the next of its object is ready', () => {
    const { queue, send, inHand } = holdEvents(2)
    const first = send()
    first.state = 'ended'
    queue.settle(first, DELIVERED)
    const batch = queue.beginWrite('ends')
    expect(inHand()).toEqual(['1', '2'])
    expect(queue.written(batch, 0)).toEqual([first])
    expect(inHand()).toEqual(['2'])
    expect(send().delivery.sequence).toBe('2')
  })

  it('keeps a slow attempt in hand when it was written for others to see, until it ends', () => {
    const { queue, send, inHand } = holdEvents(2)
    const slow = send()
    queue.settle(slow, WAITS)
    expect(queue.written(queue.beginWrite('others'), 0)).toEqual([])
    expect(inHand()).toEqual(['1', '2'])
    slow.state = 'ended'
    queue.settle(slow, DELIVERED)
    expect(queue.has('ends')).toBe(false)
    expect(queue.written(queue.beginWrite('others'), 0)).toEqual([slow])
  })

  it('holds an outcome back while an earlier one of its delivery is being written', () => {
    const { queue, send } = holdEvents(1)
    const slow = send()
    queue.settle(slow, WAITS)
    const batch = queue.beginWrite('others')
    slow.state = 'ended'
    queue.settle(slow, DELIVERED)
    expect(queue.has('ends') || queue.has('others')).toBe(false)
    queue.written(batch, 0)
    expect(queue.beginWrite('others').get(slow)).toBe(DELIVERED)
  })

  it('prefers the newer outcome if the earlier one could not be written', () => {
    const { queue, send } = holdEvents(1)
    const slow = send()
    queue.settle(slow, WAITS)
    const batch = queue.beginWrite('others')
    queue.settle(slow, DELIVERED)
    queue.notWritten(batch)
    expect(queue.beginWrite('ends').get(slow)).toBe(DELIVERED)
  })

  it('queues a batch again that could not be written', () => {
    const { queue, send } = holdEvents(1)
    const held = send()
    queue.settle(held, DELIVERED)
    queue.notWritten(queue.beginWrite('ends'))
    expect(queue.beginWrite('ends').get(held)).toBe(DELIVERED)
  })

  it('parks the later events of an object behind the first, and excludes all from reads meanwhile', () => {
    const { queue, send, inHand } = holdEvents(3)
    const first = send()
    queue.park(first, 0)
    expect(queue.leaving()).toEqual([first])
    queue.written(queue.beginWrite('others'), 0)
    expect(queue.leaving().map((held) => held.delivery.sequence)).toEqual(['2', '3'])
    expect(queue.positions()).toEqual(new Map())
    while (queue.has('others')) queue.written(queue.beginWrite('others'), 0)
    expect(inHand()).toEqual([])
    expect(queue.leaving()).toEqual([])
  })
})
