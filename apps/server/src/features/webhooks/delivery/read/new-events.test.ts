import { describe, expect, it } from 'vitest'
import { makeDelivery, makeLaneRow } from '../../../../../test/support/make-delivery.ts'
import { HeldLanes } from '../lanes/held-lanes.ts'
import { OutcomeQueue } from '../lanes/outcome-queue.ts'
import { UnreadEvents } from '../lanes/unread.ts'
import { createNewEvents } from './new-events.ts'
import type { NewDelivery } from './outbox.ts'

const newDelivery = (position: string): NewDelivery => ({
  delivery: makeDelivery(position),
  lane: makeLaneRow(),
  isOpen: false,
  isBehind: false,
})

/** Sets up two events of one call in the outbox, the first in hand. `read` lets a test act while a read is in progress. */
async function readTwo() {
  const lanes = new HeldLanes()
  const unread = new UnreadEvents()
  const queue = new OutcomeQueue(lanes, unread)
  const inOutbox = [newDelivery('1')]
  let answer = (): void => undefined
  const newEvents = createNewEvents({
    lanes,
    outbox: {
      async read(_, inHand) {
        const excluded = new Set(inHand.get(0))
        const found = inOutbox.filter(({ delivery }) => !excluded.has(delivery.sequence))
        await new Promise<void>((resolve) => (answer = resolve))
        return found
      },
      mayHoldMore: () => false,
    },
    queue,
    unread,
    sender: { start: () => undefined },
    shards: { held: () => new Set([0]) },
    clock: { nowMs: () => 0 },
  })
  async function read(during: () => void = () => undefined): Promise<void> {
    const reading = newEvents.read()
    during()
    answer()
    await reading
  }
  await read()
  inOutbox.push(newDelivery('2'))
  const inHand = (): string[] =>
    [...(lanes.find('lane')?.objects.get('call') ?? [])].map(({ delivery }) => delivery.sequence)
  const first = lanes.find('lane')?.objects.get('call')?.[0]
  if (first === undefined) throw new Error('The first is not in hand')
  return { lanes, first, read, inHand, queue, unread }
}

describe('a read that excluded an earlier event of an object because it was in hand', () => {
  it('queues the later event behind it', async () => {
    const { read, inHand } = await readTwo()
    await read()
    expect(inHand()).toEqual(['1', '2'])
  })

  it.each([
    { what: 'let go unsent', isSent: false },
    { what: 'dropped with its lane, unsent', isSent: false },
    { what: 'dropped with its lane while in flight', isSent: true },
  ])('is repeated if the earlier event was $what', async ({ what, isSent }) => {
    const { lanes, first, read, inHand, queue, unread } = await readTwo()
    if (isSent) first.state = 'sending'
    await read(() => {
      if (what === 'let go unsent') lanes.letGoFrom(first)
      else lanes.drop(first.lane)
    })
    expect(inHand()).toEqual([])
    expect(queue.leaving()).toEqual([])
    expect(unread.hasMore()).toBe(true)
    await read()
    expect(inHand()).toEqual(['1', '2'])
  })
})
