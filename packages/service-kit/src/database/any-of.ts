import { type RawBuilder, sql } from 'kysely'

/**
 * Writes `= any (…)` with a single value, for lists such as `where account_id = any … order by account_id, call_id`. With a
 * plain constant the planner drops the column from the order. The primary key could then provide the order too, and the
 * planner would use it for a large account, and read all newer rows of other accounts on the way.
 */
export const anyOf = <Value extends string>(value: Value): RawBuilder<Value> =>
  sql<Value>`any(${[value]}::text[])`
