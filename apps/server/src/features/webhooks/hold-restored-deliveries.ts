import type { Clock } from '@vaani/service-kit/clock'
import { createIdMaker } from '@vaani/service-kit/ids'
import type { Pool } from 'pg'
import { createOutbox } from './delivery/read/outbox.ts'
import { createPendingStore } from './delivery/read/pending.ts'
import { createOutcomeStore } from './delivery/settle/outcomes.ts'
import { SHARDS } from './delivery/shards/shards.ts'

const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard)

/**
 * Ends the deliveries of a restored database that are still to be made as dead, because they may have been delivered after the
 * backup. They can be resent like others that are dead. No worker may run meanwhile.
 *
 * @returns how many there were
 */
export async function holdRestoredDeliveries({ pool, clock }: { pool: Pool; clock: Clock }): Promise<number> {
  const waiting = await holdPending(pool, clock)
  return waiting + (await holdNew(pool, clock))
}

async function holdNew(pool: Pool, clock: Clock): Promise<number> {
  const outbox = createOutbox({ pool, clock, makeId: createIdMaker(clock) })
  // Without attempts, there is no window.
  const outcomes = createOutcomeStore({ pool, windowSeconds: 0 })
  const outcome = { type: 'ended', status: 'dead', reason: 'restored', attempt: null } as const
  for (let held = 0; ;) {
    const found = await outbox.read(ALL_SHARDS, new Map())
    if (found.length === 0) return held
    await outcomes.endNew(found.map(({ delivery }) => ({ delivery, outcome })))
    held += found.length
  }
}

async function holdPending(pool: Pool, clock: Clock): Promise<number> {
  const pending = createPendingStore({ pool, clock })
  for (let held = 0; ;) {
    const ended = await pending.endRestored()
    if (ended.length === 0) return held
    held += ended.length
  }
}
