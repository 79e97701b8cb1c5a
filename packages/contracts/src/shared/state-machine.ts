/** A state machine as a table: state → event → next state. A state without events is terminal. */
export type TransitionTable<State extends string> = {
  readonly [From in State]: { readonly [event: string]: State }
}

/**
 * Actors that may cause an event: the worker that holds the object, any worker once the holder has lost its lease, or a
 * person through the API while no worker holds the object.
 */
export const ACTORS = ['holder', 'successor', 'person'] as const
export type Actor = (typeof ACTORS)[number]

export type EventOf<Table extends TransitionTable<string>> = {
  [From in keyof Table]: keyof Table[From]
}[keyof Table] &
  string

/**
 * Returns the next state, or null if the table has no such step. Pure.
 *
 * @example
 * transition(CALL_TRANSITIONS, 'queued', 'answered') // 'in-progress'
 */
export function transition<State extends string, Table extends TransitionTable<State>>(
  table: Table & TransitionTable<State>,
  state: State,
  event: EventOf<Table>,
): State | null {
  const steps: { readonly [event: string]: State } = table[state]
  return Object.hasOwn(steps, event) ? (steps[event] ?? null) : null
}

export function isTerminal<State extends string>(table: TransitionTable<State>, state: State): boolean {
  return Object.keys(table[state]).length === 0
}

/** Lists every step of a table, for documents, tests and the database constraint. */
export function listTransitions<State extends string>(
  table: TransitionTable<State>,
): { from: State; event: string; to: State }[] {
  return (Object.keys(table) as State[]).flatMap((from) =>
    Object.entries(table[from]).map(([event, to]) => ({ from, event, to })),
  )
}
