import type { ServerEvent, ServerMachine, ServerStep } from './server-machine.ts'
import { T1_MS, T2_MS, TIMEOUT_MS, TIMER_I_MS, TRYING_AFTER_MS } from './timers.ts'

/** Timers of RFC 3261 and RFC 6026, and the delay of the 100. */
export type ServerInviteTimer = 'trying' | 'G' | 'H' | 'I' | 'L'

export interface ServerInviteState {
  readonly phase: 'proceeding' | 'accepted' | 'acknowledged' | 'completed' | 'confirmed' | 'terminated'
  readonly reliable: boolean
  /** Whether there is a response to repeat. */
  readonly hasResponded: boolean
  /** Last delay of timer G. */
  readonly intervalMs: number
}

type Step = ServerStep<ServerInviteState, ServerInviteTimer>
type Event = ServerEvent<ServerInviteTimer>

/**
 * INVITE server transaction (RFC 3261, section 17.2.1; RFC 6026, section 7.1). It also repeats a 2xx until its ACK comes, over
 * every transport, which RFC 3261 leaves to the user of the transaction (section 13.3.1.4).
 */
export const serverInviteMachine: ServerMachine<ServerInviteState, ServerInviteTimer> = {
  start: (reliable) => ({
    state: { phase: 'proceeding', reliable, hasResponded: false, intervalMs: T1_MS },
    commands: [{ do: 'arm', timer: 'trying', delayMs: TRYING_AFTER_MS }],
  }),

  next(state, event) {
    switch (state.phase) {
      case 'proceeding':
        return whileProceeding(state, event)
      case 'accepted':
        return whileAccepted(state, event)
      case 'acknowledged':
        return event.event === 'timer' && event.timer === 'L' ? terminate(state) : stay(state)
      case 'completed':
        return whileCompleted(state, event)
      case 'confirmed':
        return event.event === 'timer' && event.timer === 'I' ? terminate(state) : stay(state)
      case 'terminated':
        return stay(state)
    }
  },
}

const stay = (state: ServerInviteState): Step => ({ state, commands: [] })

const terminate = (state: ServerInviteState, commands: Step['commands'] = []): Step => ({
  state: { ...state, phase: 'terminated' },
  commands,
})

function whileProceeding(state: ServerInviteState, event: Event): Step {
  switch (event.event) {
    case 'request':
      return state.hasResponded ? { state, commands: [{ do: 'repeat_response' }] } : stay(state)
    case 'respond':
      return onRespond({ ...state, hasResponded: true }, event.status)
    case 'timer':
      return event.timer === 'trying' && !state.hasResponded
        ? { state: { ...state, hasResponded: true }, commands: [{ do: 'send_trying' }] }
        : stay(state)
    case 'acknowledged':
      return stay(state)
  }
}

function onRespond(state: ServerInviteState, status: number): Step {
  const respond = [{ do: 'disarm', timer: 'trying' }, { do: 'send_response' }] as const
  const repeat = { do: 'arm', timer: 'G', delayMs: T1_MS } as const
  if (status < 200) return { state, commands: respond }
  if (status < 300)
    return {
      state: { ...state, phase: 'accepted' },
      commands: [...respond, repeat, { do: 'arm', timer: 'L', delayMs: TIMEOUT_MS }],
    }
  return {
    state: { ...state, phase: 'completed' },
    commands: [
      ...respond,
      ...(state.reliable ? [] : [repeat]),
      { do: 'arm', timer: 'H', delayMs: TIMEOUT_MS },
    ],
  }
}

function repeatResponse(state: ServerInviteState): Step {
  const intervalMs = Math.min(state.intervalMs * 2, T2_MS)
  return {
    state: { ...state, intervalMs },
    commands: [{ do: 'repeat_response' }, { do: 'arm', timer: 'G', delayMs: intervalMs }],
  }
}

function whileAccepted(state: ServerInviteState, event: Event): Step {
  switch (event.event) {
    case 'acknowledged':
      // Stays to absorb repetitions of the INVITE.
      return { state: { ...state, phase: 'acknowledged' }, commands: [{ do: 'disarm', timer: 'G' }] }
    case 'timer':
      if (event.timer === 'G') return repeatResponse(state)
      return event.timer === 'L' ? terminate(state, [{ do: 'report_unacknowledged' }]) : stay(state)
    case 'request':
    case 'respond':
      return stay(state)
  }
}

function whileCompleted(state: ServerInviteState, event: Event): Step {
  switch (event.event) {
    case 'request':
      return { state, commands: [{ do: 'repeat_response' }] }
    case 'acknowledged':
      if (state.reliable) return terminate(state)
      return {
        state: { ...state, phase: 'confirmed' },
        commands: [
          { do: 'disarm', timer: 'G' },
          { do: 'disarm', timer: 'H' },
          { do: 'arm', timer: 'I', delayMs: TIMER_I_MS },
        ],
      }
    case 'timer':
      if (event.timer === 'G') return repeatResponse(state)
      return event.timer === 'H' ? terminate(state, [{ do: 'report_unacknowledged' }]) : stay(state)
    case 'respond':
      return stay(state)
  }
}
