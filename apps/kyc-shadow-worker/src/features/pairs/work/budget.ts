import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'

/** How many submissions the shadow may get in a UTC day. */
export interface Budget {
  /** Takes one of today, in the transaction of its pair. Returns the day; null if none is left. */
  take(tx: Tx): Promise<string | null>
  sentToday(): Promise<number>
}

export function createBudget(options: { database: Db; clock: Clock; dailyBudget: number | null }): Budget {
  const { database, clock, dailyBudget } = options
  const today = () => new Date(clock.nowMs()).toISOString().slice(0, 10)
  return {
    async take(tx) {
      if (dailyBudget === 0) return null
      const day = today()
      const taken = await tx
        .insertInto('shadow_budgets')
        .values({ day, sent: 1 })
        .onConflict((conflict) => {
          const counted = conflict.column('day').doUpdateSet({ sent: sql`shadow_budgets.sent + 1` })
          return dailyBudget === null ? counted : counted.where('shadow_budgets.sent', '<', dailyBudget)
        })
        .returning('day')
        .executeTakeFirst()
      return taken?.day ?? null
    },
    async sentToday() {
      const row = await database
        .selectFrom('shadow_budgets')
        .where('day', '=', today())
        .select('sent')
        .executeTakeFirst()
      return row?.sent ?? 0
    },
  }
}
