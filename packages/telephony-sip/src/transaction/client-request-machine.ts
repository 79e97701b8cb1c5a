import type { ClientMachine, ClientStep } from './client-machine.ts'
import { T1_MS, T2_MS, TIMEOUT_MS, TIMER_K_MS } from './timers.ts'

export type ClientRequestTimer = 'E' | 'F' | 'K'

export interface ClientRequestState {
  readonly phase: 'trying' | 'proceeding' | 'completed' | 'terminated'
  readonly reliable: boolean
  /** Last delay of timer E. */
  readonly intervalMs: number
}

type Step = ClientStep<ClientRequestState, ClientRequestTimer>

/** Client transaction of a request other than INVITE (RFC 3261, section 17.1.2). */
export const clientRequestMachine: ClientMachine<ClientRequestState, ClientRequestTimer> = {
  start: (reliable) => ({
    state: { phase: 'trying', reliable, intervalMs: T1_MS },
    commands: [
      { do: 'send_request' },
      ...(reliable ? [] : [{ do: 'arm', timer: 'E', delayMs: T1_MS } as const]),
      { do: 'arm', timer: 'F', delayMs: TIMEOUT_MS },
    ],
  }),

  next(state, event) {
    const waits = state.phase === 'trying' || state.phase === 'proceeding'
    switch (event.event) {
      case 'response':
        return waits ? onResponse(state, event.status) : stay(state)
      case 'timer':
        return onTimer(state, event.timer, waits)
      case 'transport_failed':
        return waits ? terminate(state, [{ do: 'report_failure', failure: 'transport' }]) : stay(state)
      case 'canceled':
        return stay(state)
    }
  },
}

const stay = (state: ClientRequestState): Step => ({ state, commands: [] })

const terminate = (state: ClientRequestState, commands: Step['commands'] = []): Step => ({
  state: { ...state, phase: 'terminated' },
  commands,
})

function onResponse(state: ClientRequestState, status: number): Step {
  if (status < 200)
    return { state: { ...state, phase: 'proceeding' }, commands: [{ do: 'report_provisional' }] }
  if (state.reliable) return terminate(state, [{ do: 'report_final' }])
  return {
    state: { ...state, phase: 'completed' },
    commands: [
      { do: 'disarm', timer: 'E' },
      { do: 'disarm', timer: 'F' },
      { do: 'arm', timer: 'K', delayMs: TIMER_K_MS },
      { do: 'report_final' },
    ],
  }
}

function onTimer(state: ClientRequestState, timer: ClientRequestTimer, waits: boolean): Step {
  // A provisional response does not stop the repetitions, because the final one can still be lost.
  const intervalMs = state.phase === 'proceeding' ? T2_MS : Math.min(state.intervalMs * 2, T2_MS)
  switch (timer) {
    case 'E':
      return waits
        ? {
            state: { ...state, intervalMs },
            commands: [{ do: 'send_request' }, { do: 'arm', timer: 'E', delayMs: intervalMs }],
          }
        : stay(state)
    case 'F':
      return waits ? terminate(state, [{ do: 'report_failure', failure: 'timeout' }]) : stay(state)
    case 'K':
      return state.phase === 'completed' ? terminate(state) : stay(state)
  }
}
