import type { Clock } from '../clock.ts'
import { buildResponse } from '../message/build.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Peer, Transport } from '../transport/flow.ts'
import { responsePeerOf } from '../transport/response-peer.ts'
import type { ServerCommand, ServerEvent, ServerMachine, ServerStep } from './server-machine.ts'
import { TimerSet } from './timer-set.ts'
import type { ServerTransaction } from './transactions.ts'

/** A server transaction as the layer sees it. */
export interface RunningServer extends ServerTransaction {
  /** Absorbs a repetition of the request. */
  repeat(): void
  noteAcknowledged(): void
  /** Returns the last response that was sent. */
  lastResponse(): SipResponse | undefined
  end(): void
}

export interface ServerParts {
  /** With `received` and `rport` in its Via. */
  readonly request: SipRequest
  readonly from: Peer
  readonly transport: Transport
  readonly clock: Clock
  /** Called once. */
  readonly onEnd: () => void
}

/** Runs one server transaction: does what its machine wants done. */
export function runServer<State extends { readonly phase: string }, Timer extends string>(
  machine: ServerMachine<State, Timer>,
  { request, from, transport, clock, onEnd }: ServerParts,
): RunningServer {
  const timers = new TimerSet<Timer>(clock)
  const target = responsePeerOf(request, from)
  const first = machine.start(transport.isReliable(from.transport))
  let { state } = first
  let last: SipResponse | undefined
  let reportUnacknowledged = () => {}
  let hasEnded = false

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    timers.clear()
    onEnd()
  }

  function feed(event: ServerEvent<Timer>, response?: SipResponse): void {
    if (!hasEnded) follow(machine.next(state, event), response)
  }

  function follow(step: ServerStep<State, Timer>, response?: SipResponse): void {
    state = step.state
    if (state.phase === 'terminated') end()
    for (const command of step.commands) execute(command, response)
  }

  function execute(command: ServerCommand<Timer>, response: SipResponse | undefined): void {
    switch (command.do) {
      case 'send_response':
        return send(response)
      case 'repeat_response':
        return send(last)
      case 'send_trying':
        return send(buildResponse(request, { status: 100 }))
      case 'arm':
        return timers.arm(command.timer, command.delayMs, () =>
          feed({ event: 'timer', timer: command.timer }),
        )
      case 'disarm':
        return timers.disarm(command.timer)
      case 'report_unacknowledged':
        return reportUnacknowledged()
    }
  }

  function send(response: SipResponse | undefined): void {
    if (response === undefined) return
    last = response
    // The timers end the transaction if nothing arrives.
    transport.send(response, target).catch(() => {})
  }

  follow(first)
  return {
    request,
    from,
    respond: (response) => feed({ event: 'respond', status: response.status }, response),
    onUnacknowledged(action) {
      reportUnacknowledged = action
    },
    repeat: () => feed({ event: 'request' }),
    noteAcknowledged: () => feed({ event: 'acknowledged' }),
    lastResponse: () => last,
    end,
  }
}
