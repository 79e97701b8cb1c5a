import type { ServerMachine, ServerStep } from './server-machine.ts'
import { TIMEOUT_MS, TIMER_J_MS } from './timers.ts'

/** Timer J of RFC 3261, and the time after which nobody waits for a response any more: timer F of the client. */
export type ServerRequestTimer = 'J' | 'unanswered'

export interface ServerRequestState {
  readonly phase: 'trying' | 'proceeding' | 'completed' | 'terminated'
  readonly reliable: boolean
}

type Step = ServerStep<ServerRequestState, ServerRequestTimer>

/** Server transaction of a request other than INVITE (RFC 3261, section 17.2.2). */
export const serverRequestMachine: ServerMachine<ServerRequestState, ServerRequestTimer> = {
  start: (reliable) => ({
    state: { phase: 'trying', reliable },
    commands: [{ do: 'arm', timer: 'unanswered', delayMs: TIMEOUT_MS }],
  }),

  next(state, event) {
    const isAnswered = state.phase === 'completed' || state.phase === 'terminated'
    switch (event.event) {
      case 'request':
        return state.phase === 'proceeding' || state.phase === 'completed'
          ? { state, commands: [{ do: 'repeat_response' }] }
          : stay(state)
      case 'respond':
        return isAnswered ? stay(state) : onRespond(state, event.status)
      case 'timer':
        return event.timer === (isAnswered ? 'J' : 'unanswered') ? terminate(state) : stay(state)
      case 'acknowledged':
        return stay(state)
    }
  },
}

const stay = (state: ServerRequestState): Step => ({ state, commands: [] })

const terminate = (state: ServerRequestState, commands: Step['commands'] = []): Step => ({
  state: { ...state, phase: 'terminated' },
  commands,
})

function onRespond(state: ServerRequestState, status: number): Step {
  if (status < 200) return { state: { ...state, phase: 'proceeding' }, commands: [{ do: 'send_response' }] }
  if (state.reliable) return terminate(state, [{ do: 'send_response' }])
  return {
    state: { ...state, phase: 'completed' },
    commands: [
      { do: 'send_response' },
      { do: 'disarm', timer: 'unanswered' },
      { do: 'arm', timer: 'J', delayMs: TIMER_J_MS },
    ],
  }
}
