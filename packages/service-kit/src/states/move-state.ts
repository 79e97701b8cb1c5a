import { type Actor, transition, type TransitionTable } from '@vaani/contracts'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tx } from '../database/connect.ts'
import { isAbandoned } from '../leases/abandoned.ts'
import type { Tenant } from '../tenant.ts'

/** A table whose rows have a status that changes, and name the worker that holds them. */
interface Stateful {
  status: string
  livemode: boolean
  worker_id: string | null
  /** Written by, and for, earlier versions, which leased each row. */
  lease_expires_at: Date | null
}

/** The state machine of one kind of object. */
export interface StateMachine<Table extends Stateful, Status extends string, Event extends string> {
  table: string
  idColumn: keyof Table & string
  transitions: TransitionTable<Status>
  actors: Readonly<Record<Event, Actor>>
  /** Returns the columns that entering a status sets, besides the status. */
  onEntering(status: Status, now: Date): Partial<Insertable<Table>>
  /** Writes the event for the new state of the row, in the transaction of the step. */
  onMoved(tx: Tx, row: Selectable<Table>): Promise<void>
}

/** The actor of a step, from the contract's `Actor`, with what proves its identity. */
export type Mover =
  | { actor: 'holder'; workerId: string }
  | { actor: 'successor' }
  | {
      actor: 'person'
      tenant: Tenant
      /** Whether a worker that holds the object loses it. By default, the object is not for a person to move then. */
      evenIfHeld?: true
    }

/** A step of an object from the status that the caller expects. */
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
  person: ({ tenant, evenIfHeld }) =>
    sql`${evenIfHeld ? sql`true` : sql`worker_id is null`} and account_id = ${tenant.accountId} and livemode = ${tenant.livemode}`,
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
 * Moves an object to its next status and writes the event for it. This is the only way to change a status. Must run in a
 * transaction, so that neither exists without the other.
 *
 * @returns the updated row; undefined, without any change, if the object is gone, in another status, or not for this actor to
 *   move
 * @throws Error if the state machine has no such step, or not for this actor
 */
export async function moveState<Table extends Stateful, Status extends string, Event extends string>(
  tx: Tx,
  machine: StateMachine<Table, Status, Event>,
  step: Step<Table, NoInfer<Status>, NoInfer<Event>>,
): Promise<Selectable<Table> | undefined> {
  const { id, from, event, mover, now, changes = {} } = step
  const to = transition(machine.transitions, from, event)
  if (to === null) throw new Error(`${machine.table} in status ${from} have no step ${event}`)
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
