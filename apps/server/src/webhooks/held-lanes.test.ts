import { describe, expect, it } from 'vitest'
import { createHeldLanes, type HeldLanes, type Lane } from './held-lanes.ts'
import type { DueDelivery } from './lane-store.ts'

const delivery = (laneId: string, number: number): DueDelivery => ({
  delivery_id: `${laneId} ${number}`,
  lane_id: laneId,
  account_id: 'account',
  endpoint_id: laneId,
  url: 'https://example.com/',
  event_id: `event ${number}`,
  body: '{}',
  round_attempts: 0,
  first_attempt_at: null,
  secret_version: 1,
})

function hold(lanes: HeldLanes, laneId: string): Lane {
  lanes.hold({ laneId, failures: 0 }, Number.POSITIVE_INFINITY)
  const lane = lanes.find(laneId)
  if (lane === undefined) throw new Error('The lane is not held')
  return lane
}

/** Takes in hand what the lanes ask for, as of endless backlogs. */
function fill(lanes: HeldLanes): number {
  let taken = 0
  for (const { lane, room } of lanes.wanted())
    for (let more = 0; more < room; more++) if (lanes.take(lane, delivery(lane.id, taken))) taken++
  return taken
}

describe('the lanes of a worker', () => {
  it('have room for one delivery of each lane, however much the others hold up', () => {
    const lanes = createHeldLanes()
    for (let index = 0; index < 1000; index++) {
      hold(lanes, `slow ${index}`)
      fill(lanes)
    }
    const quick = hold(lanes, 'quick')
    expect(lanes.wanted()).toContainEqual({ lane: quick, room: 1 })
    expect(lanes.take(quick, delivery('quick', 1))).toBe(true)
    expect(lanes.take(quick, delivery('quick', 2))).toBe(false)
    lanes.letGo(quick, 'quick 1')
    expect(lanes.takeNew(quick, delivery('quick', 2))).toBe(true)
  })

  it('keep what is in hand where one is taken that is held already, and free it as they are dropped', () => {
    const lanes = createHeldLanes()
    const lane = hold(lanes, 'lane')
    const room = fill(lanes)
    for (let round = 0; round < 1000; round++) {
      expect(hold(lanes, 'lane').inHand.size).toBe(room)
      lanes.drop(hold(lanes, 'lane'))
      hold(lanes, 'lane')
      expect(fill(lanes)).toBe(room)
    }
    expect(lane.inHand.size).toBe(0)
  })
})
