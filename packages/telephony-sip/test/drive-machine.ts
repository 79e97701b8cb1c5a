import type { ClientCommand } from '../src/transaction/client-machine.ts'
import type { ServerCommand } from '../src/transaction/server-machine.ts'
import { createManualClock } from './manual-clock.ts'

type Command<Timer extends string> = ClientCommand<Timer> | ServerCommand<Timer>

interface Step<State, Timer extends string> {
  readonly state: State
  readonly commands: readonly Command<Timer>[]
}

/** What the machines of both sides have in common. */
interface Machine<State extends { readonly phase: string }, Timer extends string, Event> {
  start(reliable: boolean): Step<State, Timer>
  next(state: State, event: Event | { event: 'timer'; timer: Timer }): Step<State, Timer>
}

/** Runs a machine with its timers under a manual clock, and notes all that it wants done otherwise. */
export function driveMachine<State extends { readonly phase: string }, Timer extends string, Event>(
  machine: Machine<State, Timer, Event>,
  { reliable }: { reliable: boolean },
) {
  const clock = createManualClock()
  const timers = new Map<Timer, () => void>()
  const done: { readonly atMs: number; readonly what: Command<Timer>['do'] }[] = []
  const first = machine.start(reliable)
  let { state } = first

  function follow(step: Step<State, Timer>) {
    state = step.state
    for (const command of step.commands) {
      if (command.do !== 'arm' && command.do !== 'disarm') {
        done.push({ atMs: clock.nowMs(), what: command.do })
        continue
      }
      const { timer } = command
      timers.get(timer)?.()
      timers.delete(timer)
      if (command.do === 'disarm') continue
      const fire = () => follow(machine.next(state, { event: 'timer', timer }))
      timers.set(timer, clock.after(command.delayMs, fire))
    }
    if (state.phase === 'terminated') for (const cancel of timers.values()) cancel()
  }

  follow(first)
  return {
    clock,
    phase: (): State['phase'] => state.phase,
    feed: (event: Event) => follow(machine.next(state, event)),
    /** Returns the times at which it wanted this done. */
    timesOf: (wanted: Command<Timer>['do']) =>
      done.filter(({ what }) => what === wanted).map(({ atMs }) => atMs),
  }
}
