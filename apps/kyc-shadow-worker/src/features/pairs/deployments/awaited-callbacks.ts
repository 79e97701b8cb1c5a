import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Arrival } from '../tables.ts'

/** How long a process that ended meanwhile leaves its row. */
const LEFT_MS = 3_600_000
const POLL_MS = 200

/** Callbacks to one-time addresses, which any process with this database may receive. */
export interface AwaitedCallbacks {
  open(): Promise<AwaitedCallback>
  /** Records what came to a one-time address. Does nothing if nobody waits there. */
  note(checkId: string, arrival: Arrival): Promise<void>
}

/** Forgotten once it is disposed. */
export interface AwaitedCallback extends AsyncDisposable {
  readonly checkId: string
  /** Returns how the callback came; null if it did not come in time. */
  wait(timeoutMs: number): Promise<Arrival | null>
}

export function createAwaitedCallbacks({
  database,
  clock,
}: {
  database: Db
  clock: Clock
}): AwaitedCallbacks {
  const read = async (checkId: string): Promise<Arrival | null> => {
    const row = await database
      .selectFrom('callback_checks')
      .where('check_id', '=', checkId)
      .select('arrival')
      .executeTakeFirst()
    return row?.arrival ?? null
  }
  return {
    async open() {
      const checkId = randomUUID()
      const nowMs = clock.nowMs()
      await database
        .deleteFrom('callback_checks')
        .where('created_at', '<', new Date(nowMs - LEFT_MS))
        .execute()
      await database
        .insertInto('callback_checks')
        .values({ check_id: checkId, created_at: new Date(nowMs), arrival: null })
        .execute()
      return {
        checkId,
        async wait(timeoutMs) {
          const untilMs = clock.nowMs() + timeoutMs
          for (;;) {
            const arrival = await read(checkId)
            if (arrival !== null || clock.nowMs() >= untilMs) return arrival
            await delay(POLL_MS)
          }
        },
        async [Symbol.asyncDispose]() {
          await database.deleteFrom('callback_checks').where('check_id', '=', checkId).execute()
        },
      }
    },
    async note(checkId, arrival) {
      await database.updateTable('callback_checks').set({ arrival }).where('check_id', '=', checkId).execute()
    },
  }
}
