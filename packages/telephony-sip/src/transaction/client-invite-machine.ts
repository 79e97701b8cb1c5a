import type { ClientEvent, ClientMachine, ClientStep } from './client-machine.ts'
import { T1_MS, TIMEOUT_MS, TIMER_D_MS } from './timers.ts'

/** Timers of RFC 3261 and RFC 6026, and the guard of section 9.1 for a final response that never follows a CANCEL. */
export type ClientInviteTimer = 'A' | 'B' | 'D' | 'M' | 'cancel_guard'

export interface ClientInviteState {
  readonly phase: 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated'
  readonly reliable: boolean
  /** Last delay of timer A. */
  readonly intervalMs: number
}

type Step = ClientStep<ClientInviteState, ClientInviteTimer>
type Event = ClientEvent<ClientInviteTimer>

/** INVITE client transaction (RFC 3261, section 17.1.1; RFC 6026, section 7.2). */
export const clientInviteMachine: ClientMachine<ClientInviteState, ClientInviteTimer> = {
  start: (reliable) => ({
    state: { phase: 'calling', reliable, intervalMs: T1_MS },
    commands: [
      { do: 'send_request' },
      ...(reliable ? [] : [{ do: 'arm', timer: 'A', delayMs: T1_MS } as const]),
      { do: 'arm', timer: 'B', delayMs: TIMEOUT_MS },
    ],
  }),

  next(state, event) {
    switch (state.phase) {
      case 'calling':
      case 'proceeding':
        return whileWaiting(state, event)
      case 'completed':
        return whileCompleted(state, event)
      case 'accepted':
        return whileAccepted(state, event)
      case 'terminated':
        return stay(state)
    }
  },
}

const stay = (state: ClientInviteState): Step => ({ state, commands: [] })

const terminate = (state: ClientInviteState, commands: Step['commands'] = []): Step => ({
  state: { ...state, phase: 'terminated' },
  commands,
})

function whileWaiting(state: ClientInviteState, event: Event): Step {
  switch (event.event) {
    case 'response':
      return onResponse(state, event.status)
    case 'timer':
      return onTimer(state, event.timer)
    case 'canceled':
      // A proceeding INVITE has no timer of its own.
      return { state, commands: [{ do: 'arm', timer: 'cancel_guard', delayMs: TIMEOUT_MS }] }
    case 'transport_failed':
      return terminate(state, [{ do: 'report_failure', failure: 'transport' }])
  }
}

const stopWaiting = (['A', 'B', 'cancel_guard'] as const).map((timer) => ({ do: 'disarm', timer }) as const)

function onResponse(state: ClientInviteState, status: number): Step {
  if (status < 200)
    return {
      state: { ...state, phase: 'proceeding' },
      commands: [...(state.phase === 'calling' ? stopRepeating : []), { do: 'report_provisional' }],
    }
  if (status < 300)
    return {
      state: { ...state, phase: 'accepted' },
      commands: [...stopWaiting, { do: 'arm', timer: 'M', delayMs: TIMEOUT_MS }, { do: 'report_final' }],
    }
  if (state.reliable) return terminate(state, [{ do: 'acknowledge' }, { do: 'report_final' }])
  return {
    state: { ...state, phase: 'completed' },
    commands: [
      ...stopWaiting,
      { do: 'acknowledge' },
      { do: 'arm', timer: 'D', delayMs: TIMER_D_MS },
      { do: 'report_final' },
    ],
  }
}

const stopRepeating = (['A', 'B'] as const).map((timer) => ({ do: 'disarm', timer }) as const)

function onTimer(state: ClientInviteState, timer: ClientInviteTimer): Step {
  const intervalMs = state.intervalMs * 2
  switch (timer) {
    case 'A':
      return state.phase === 'calling'
        ? {
            state: { ...state, intervalMs },
            commands: [{ do: 'send_request' }, { do: 'arm', timer: 'A', delayMs: intervalMs }],
          }
        : stay(state)
    case 'B':
      return state.phase === 'calling'
        ? terminate(state, [{ do: 'report_failure', failure: 'timeout' }])
        : stay(state)
    case 'cancel_guard':
      return terminate(state, [{ do: 'report_failure', failure: 'timeout' }])
    case 'D':
    case 'M':
      return stay(state)
  }
}

function whileCompleted(state: ClientInviteState, event: Event): Step {
  switch (event.event) {
    case 'response':
      return event.status >= 300 ? { state, commands: [{ do: 'acknowledge' }] } : stay(state)
    case 'timer':
      return event.timer === 'D' ? terminate(state) : stay(state)
    case 'transport_failed':
      return terminate(state)
    case 'canceled':
      return stay(state)
  }
}

/** Passes on every 2xx, because each fork that answers needs an ACK, and so does each repetition. */
function whileAccepted(state: ClientInviteState, event: Event): Step {
  switch (event.event) {
    case 'response':
      return event.status >= 200 && event.status < 300
        ? { state, commands: [{ do: 'report_final' }] }
        : stay(state)
    case 'timer':
      return event.timer === 'M' ? terminate(state) : stay(state)
    case 'transport_failed':
    case 'canceled':
      return stay(state)
  }
}
