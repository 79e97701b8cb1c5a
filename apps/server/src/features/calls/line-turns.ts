import { inTransaction } from '@vaani/service-kit/database/transaction'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { LineLimit } from './carriers/line-limits.ts'
import type { CallRow } from './view.ts'

/**
 * A call is dialled after its turn was taken, later in a busy process. One that is later than this takes another turn, and the period has
 * as much in addition, so that a late call and the next are still a second apart.
 */
const MOST_LATE_MS = 100
const PERIOD_MS = 1000 + MOST_LATE_MS
/** With a database that always responds later, calls are dialled all the same. */
const TURNS = 3

/** Keeps the calls per second of a line, in all workers together. */
export interface LineTurns {
  /**
   * Waits until the line may dial the call.
   *
   * @returns false if the worker no longer holds the call, or the signal aborts
   * @throws Error if the database does not respond
   */
  wait(call: CallRow, signal: AbortSignal): Promise<boolean>
  /** Does the same for a call that is none of an agent, and of which there is no row. */
  waitOn(carrier: string, signal: AbortSignal): Promise<boolean>
}

/** Locks the line. Times that are ahead of a clock that was set back count as now. */
const LOCK = `
  insert into lines (carrier, dialled_at) values ($1, '{}')
  on conflict (carrier) do update set dialled_at = array(
    select least(past.at, clock_timestamp()) from unnest(lines.dialled_at) with ordinality as past (at, place) order by place)`

const NTH_BEFORE = 'dialled_at[cardinality(dialled_at) + 1 - $2]'

/** A sliding log: the line may dial if the Nth dial before is at least one period old. */
const TAKE = `
  update lines
  set dialled_at = (array_append(dialled_at, clock_timestamp()))[greatest(1, cardinality(dialled_at) + 2 - $2):]
  where carrier = $1
    and (cardinality(dialled_at) < $2 or ${NTH_BEFORE} <= clock_timestamp() - $3 * interval '1 millisecond')`

const WAIT = `
  select greatest(1, ceil($3 - 1000 * extract(epoch from clock_timestamp() - ${NTH_BEFORE})))::integer as wait_ms
  from lines where carrier = $1`

const ADMIT = `
  update calls set line_admitted_at = clock_timestamp()
  where call_id = $1 and worker_id = $2 and dial_started_at = $3 and status = 'queued'`

/** The call is not held any more, so that its turn is left to others. */
class NotHeldError extends Error {
  override readonly name = 'NotHeldError'
}

export function createLineTurns(pool: Pool, limits: readonly LineLimit[]): LineTurns {
  const rates = new Map(limits.map(({ carrier, callsPerSecond }) => [carrier, callsPerSecond]))

  /** Returns how long to wait before the next attempt; 0 once the turn is taken. @param call held, if it has a row */
  const take = (carrier: string, rate: number, call: CallRow | undefined): Promise<number> =>
    inTransaction(pool, async (client) => {
      await client.query(LOCK, [carrier])
      const { rowCount } = await client.query(TAKE, [carrier, rate, PERIOD_MS])
      if (rowCount === 0) {
        const { rows } = await client.query<{ wait_ms: number }>(WAIT, [carrier, rate, PERIOD_MS])
        return rows[0]?.wait_ms ?? 1
      }
      if (call === undefined) return 0
      const admitted = await client.query(ADMIT, [call.call_id, call.worker_id, call.dial_started_at])
      if (admitted.rowCount === 0) throw new NotHeldError()
      return 0
    })

  async function wait(carrier: string, signal: AbortSignal, call?: CallRow): Promise<boolean> {
    const rate = rates.get(carrier) ?? null
    if (rate === null) return true
    try {
      for (let turns = 0; turns < TURNS;) {
        signal.throwIfAborted()
        const startedMs = performance.now()
        const waitMs = await take(carrier, rate, call)
        if (waitMs > 0) await delay(waitMs, undefined, { signal })
        else if (performance.now() - startedMs <= MOST_LATE_MS) return true
        else turns++
      }
      return true
    } catch (error) {
      if (error instanceof NotHeldError || signal.aborted) return false
      throw error
    }
  }

  return {
    wait: (call, signal) => wait(call.carrier, signal, call),
    waitOn: (carrier, signal) => wait(carrier, signal),
  }
}
