import { type Actor, transition, type TransitionTable } from '@vaani/contracts'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tx } from '../database/connect.ts'
import { isAbandoned } from '../leases/abandoned.ts'
import type { Tenant } from '../tenant.ts'

/** A table whose rows have a status that moves, and name the worker that carries them. */
interface Stateful {
  status: string
  livemode: boolean
  worker_id: string | null
  /** Of versions that leased each row, and for them. */
  lease_expires_at: Date | null
}

/** How one kind of object moves. */
export interface StateMachine<Table extends Stateful, Status extends string, Event extends string> {
  table: string
  idColumn: keyof Table & string
  transitions: TransitionTable<Status>
  actors: Readonly<Record<Event, Actor>>
  /** What entering a status sets besides the status. */
  onEntering(status: Status, now: Date): Partial<Insertable<Table>>
  /** Writes the event of the row as it has become, in the transaction of the step. */
  onMoved(tx: Tx, row: Selectable<Table>): Promise<void>
}

/** Who moves an object, as the contract's `Actor`, and what proves it. */
export type Mover =
  | { actor: 'holder'; workerId: string }
  | { actor: 'successor' }
  | { actor: 'person'; tenant: Tenant }

/** A step of an object from the status in which the caller expects it. */
export interface Step<Table, Status, Event> {
  id: string
  from: Status
  event: Event
  mover: Mover
  now: Date
  changes?: Partial<Insertable<Table>>
}

const CONDITIONS = {
  holder: ({ workerId }) => sql`worker_id = ${workerId}`,
  successor: (_, table) => isAbandoned(table),
  person: ({ tenant }) =>
    sql`worker_id is null and account_id = ${tenant.accountId} and livemode = ${tenant.livemode}`,
} satisfies {
  [Name in Actor]: (mover: Extract<Mover, { actor: Name }>, table: string) => RawBuilder<unknown>
}

function conditionOf(mover: Mover, table: string): RawBuilder<unknown> {
  switch (mover.actor) {
    case 'holder':
      return CONDITIONS.holder(mover)
    case 'successor':
      return CONDITIONS.successor(mover, table)
    case 'person':
      return CONDITIONS.person(mover)
  }
}

/**
 * Moves an object and writes the event of its new status: the only way in which a status changes. Both are one transaction,
 * so neither is ever there without the other.
 *
 * @returns the row as it has become, or undefined if it is elsewhere by now: in another status, held by a worker, or
 *   gone. Nothing has changed then.
 * @throws Error if the table has no such step, or not for this actor
 */
export async function moveState<Table extends Stateful, Status extends string, Event extends string>(
  tx: Tx,
  machine: StateMachine<Table, Status, Event>,
  step: Step<Table, NoInfer<Status>, NoInfer<Event>>,
): Promise<Selectable<Table> | undefined> {
  const { id, from, event, mover, now, changes = {} } = step
  const to = transition(machine.transitions, from, event)
  if (to === null) throw new Error(`${machine.table} that are ${from} have no step ${event}`)
  if (machine.actors[event] !== mover.actor)
    throw new Error(`${event} of ${machine.table} is not a step of the ${mover.actor}`)
  const columns = Object.entries({ ...changes, ...machine.onEntering(to, now), status: to })
  const { rows } = await sql<Selectable<Table>>`
    update ${sql.table(machine.table)}
    set ${sql.join(columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}
    where ${sql.ref(machine.idColumn)} = ${id} and status = ${from} and ${conditionOf(mover, machine.table)}
    returning *`.execute(tx)
  const [moved] = rows
  if (moved) await machine.onMoved(tx, moved)
  return moved
}
