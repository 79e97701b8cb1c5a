import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/connect.ts'

/**
 * Claims the rows of a table that are due longest, by postponing them for longer than the work on them takes. If the process
 * dies, others claim them once that time is over; so it is for work that may be repeated.
 *
 * @param options.held keys of rows that this process works on, which it does not claim again
 * @param options.where further condition, for which the index on the due time is partial or has a leading column
 */
export async function claimDue<Row>(
  database: Db,
  options: {
    table: string
    key: string
    due: string
    columns: readonly string[]
    where?: RawBuilder<unknown>
    room: number
    held: readonly string[]
    now: Date
    claimMs: number
  },
): Promise<Row[]> {
  const { where = sql`true`, room, held, now, claimMs } = options
  const [table, key, due] = [sql.table(options.table), sql.ref(options.key), sql.ref(options.due)]
  const { rows } = await sql<Row>`
    with due as materialized (
      select ${key} from ${table}
      where ${where} and ${due} <= ${now} and ${key} <> all (${held}::text[])
      order by ${due} limit ${room} for update skip locked
    )
    update ${table} as claimed set ${due} = ${new Date(now.getTime() + claimMs)}
    from due where ${where} and claimed.${key} = due.${key}
    returning ${sql.join(options.columns.map((column) => sql.ref(`claimed.${column}`)))}`.execute(database)
  return rows
}
