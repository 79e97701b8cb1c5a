import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeDelivery, makeLaneRow } from '../../../../../test/support/make-delivery.ts'
import type { Delivery } from './delivery.ts'
import { HeldLanes } from './held-lanes.ts'
import type { Held, Lane } from './lane.ts'

let made = 0

function delivery(laneId: string, objectId = `object ${made}`): Delivery {
  made++
  return makeDelivery(String(made), { laneId, objectId })
}

function hold(lanes: HeldLanes, laneId: string): Lane {
  const lane = lanes.hold(makeLaneRow(laneId))
  if (lane === undefined) throw new Error('The lane is not held')
  return lane
}

/** Takes new events until the lane has no room. */
function fill(lanes: HeldLanes, lane: Lane): number {
  let taken = 0
  while (lanes.addNew(lane, delivery(lane.id), 0)) taken++
  return taken
}

const heldOf = (lane: Lane, one: Delivery): Held => {
  const held = lane.inHand.get(one.delivery_id)
  if (held === undefined) throw new Error('It is not in hand')
  return held
}

/** Sequences of the deliveries that may be sent now. */
const readyOf = (lane: Lane): string[] =>
  lane.ready.filter(({ state }) => state === 'waiting').map((held) => held.delivery.sequence)

describe('held lanes', () => {
  it('always have room for one delivery per lane, however many the other lanes hold', () => {
    const lanes = new HeldLanes()
    for (let index = 0; index < 1000; index++) fill(lanes, hold(lanes, `slow ${index}`))
    const quick = hold(lanes, 'quick')
    const first = delivery('quick')
    expect(lanes.addNew(quick, first, 0)).toBe(true)
    expect(lanes.addNew(quick, delivery('quick'), 0)).toBe(false)
    lanes.letGo(heldOf(quick, first))
    quick.mayHaveDue = true
    expect(lanes.wanted()).toContainEqual({ lane: quick, room: 1 })
  })

  it('free their deliveries when dropped, and accept none afterwards', () => {
    const lanes = new HeldLanes()
    const room = fill(lanes, hold(lanes, 'lane'))
    for (let round = 0; round < 1000; round++) {
      const lane = hold(lanes, 'lane')
      expect(lane.inHand.size).toBe(room)
      lanes.drop(lane)
      expect(lanes.addNew(lane, delivery('lane'), 0)).toBe(false)
      expect(lanes.positions().size).toBe(0)
      expect(fill(lanes, hold(lanes, 'lane'))).toBe(room)
    }
  })

  it('keep room for older deliveries that wait in the database', () => {
    const lanes = new HeldLanes()
    const lane = hold(lanes, 'lane')
    lane.mayHaveDue = true
    const room = fill(lanes, lane)
    expect(lanes.wanted()).toEqual([{ lane, room: expect.any(Number) }])
    expect(lanes.wanted()[0]?.room).toBeGreaterThanOrEqual(room)
  })
})

describe('events of one object', () => {
  it('become ready one after another, and join their object even if the lane is full', () => {
    const lanes = new HeldLanes()
    const lane = hold(lanes, 'lane')
    const [first, second, third] = [
      delivery('lane', 'call'),
      delivery('lane', 'call'),
      delivery('lane', 'call'),
    ]
    lanes.addNew(lane, first, 0)
    lanes.addNew(lane, second, 0)
    fill(lanes, lane)
    expect(lanes.addNew(lane, third, 0)).toBe(true)
    expect(readyOf(lane)).toContain(first.sequence)
    expect(readyOf(lane)).not.toContain(second.sequence)
    lanes.letGo(heldOf(lane, first))
    expect(readyOf(lane)).toContain(second.sequence)
    expect(readyOf(lane)).not.toContain(third.sequence)
  })

  it('are never ready before an earlier one has ended, whatever is let go', () => {
    const step = fc.record({
      what: fc.constantFrom('take' as const, 'send' as const, 'end' as const, 'put back' as const),
      which: fc.nat(20),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lanes = new HeldLanes()
        const lane = hold(lanes, 'lane')
        const queued: Delivery[] = []
        const over = new Set<string>()
        for (const { what, which } of steps) {
          const inHand = [...lane.inHand.values()]
          const chosen = inHand[which % Math.max(1, inHand.length)]
          if (what === 'take') {
            // Like the outbox, returns deliveries that were put back before new ones.
            const again = queued.find(
              ({ delivery_id }) => !lane.inHand.has(delivery_id) && !over.has(delivery_id),
            )
            const next = again ?? delivery('lane', `call ${which % 2}`)
            if (again === undefined) queued.push(next)
            lanes.addNew(lane, next, 0)
          }
          if (what === 'send') {
            const held = lane.ready.find(({ state }) => state === 'waiting')
            if (held) held.state = 'sending'
          }
          if (what === 'end' && chosen?.state === 'sending') {
            over.add(chosen.delivery.delivery_id)
            lanes.letGo(chosen)
          }
          if (what === 'put back' && chosen?.state === 'waiting') lanes.letGoFrom(chosen)
          for (const sequence of readyOf(lane)) {
            const at = queued.findIndex((one) => one.sequence === sequence)
            const earlier = queued
              .slice(0, at)
              .filter(
                ({ object_id, delivery_id }) => object_id === queued[at]?.object_id && !over.has(delivery_id),
              )
            expect(earlier).toEqual([])
          }
        }
      }),
    )
  })
})
