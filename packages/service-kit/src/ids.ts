import { randomFillSync } from 'node:crypto'
import { createId, type Id, type IdKind } from '@vaani/contracts'
import type { Clock } from './clock.ts'

const ID_RANDOM_BYTES = 10
/** Random bytes for many ids, from one system call. */
const pool = Buffer.alloc(ID_RANDOM_BYTES * 256)
let used = pool.length

export type IdMaker = <Kind extends IdKind>(kind: Kind) => Id<Kind>

/** Returns the id that sorts before all ids made at or after a time. */
export const firstIdAt = <Kind extends IdKind>(kind: Kind, timeMs: number): Id<Kind> =>
  createId(kind, { nowMs: Math.max(0, timeMs), random: new Uint8Array(ID_RANDOM_BYTES) })

/** Makes ids from the clock and secure randomness. */
export function createIdMaker(clock: Clock): IdMaker {
  return (kind) => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const random = pool.subarray(used, (used += ID_RANDOM_BYTES))
    return createId(kind, { nowMs: clock.nowMs(), random })
  }
}
