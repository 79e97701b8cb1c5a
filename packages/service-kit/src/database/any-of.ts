import { type RawBuilder, sql } from 'kysely'

/**
 * One value, for lists that begin with it in their order: `where account_id = any … order by account_id, call_id`. The planner
 * drops a column that equals a constant from the order. The primary key would then give the rows of a large account in order
 * too, along with all newer ones of the other accounts, and be taken for it.
 */
export const anyOf = (value: string): RawBuilder<string> => sql<string>`any(${[value]}::text[])`
