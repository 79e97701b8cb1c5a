import type { Clock } from '../clock.ts'
import { buildAck } from '../message/build.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Peer, Transport } from '../transport/flow.ts'
import type { ClientCommand, ClientEvent, ClientMachine, ClientStep } from './client-machine.ts'
import { TimerSet } from './timer-set.ts'
import type { ClientTransaction, ClientTransactionUser } from './transactions.ts'

/** A client transaction as the layer sees it. */
export interface RunningClient extends ClientTransaction {
  receive(response: SipResponse): void
  noteCanceled(): void
  failTransport(): void
  /** Returns whether the transport has taken the request. */
  hasSent(): boolean
}

export interface ClientParts {
  /** With its Via. */
  readonly request: SipRequest
  readonly peer: Peer
  readonly user: ClientTransactionUser
  readonly transport: Transport
  readonly clock: Clock
  /** Called once, before the user hears of the end. */
  readonly onEnd: () => void
}

/** Runs one client transaction: does what its machine wants done. */
export function runClient<State extends { readonly phase: string }, Timer extends string>(
  machine: ClientMachine<State, Timer>,
  { request, peer, user, transport, clock, onEnd }: ClientParts,
): RunningClient {
  const timers = new TimerSet<Timer>(clock)
  const first = machine.start(transport.isReliable(peer.transport))
  let { state } = first
  let hasEnded = false
  let hasSent = false

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    timers.clear()
    onEnd()
  }

  function feed(event: ClientEvent<Timer>, response?: SipResponse): void {
    if (!hasEnded) follow(machine.next(state, event), response)
  }

  function follow(step: ClientStep<State, Timer>, response?: SipResponse): void {
    state = step.state
    if (state.phase === 'terminated') end()
    for (const command of step.commands) execute(command, response)
  }

  function execute(command: ClientCommand<Timer>, response: SipResponse | undefined): void {
    switch (command.do) {
      case 'send_request':
        return send(request)
      case 'arm':
        return timers.arm(command.timer, command.delayMs, () =>
          feed({ event: 'timer', timer: command.timer }),
        )
      case 'disarm':
        return timers.disarm(command.timer)
      case 'report_failure':
        return user.onFailure(command.failure)
      case 'acknowledge':
        if (response !== undefined) send(buildAck(request, response))
        return
      case 'report_provisional':
        if (response !== undefined) user.onProvisional(response)
        return
      case 'report_final':
        if (response !== undefined) user.onFinal(response)
    }
  }

  const failTransport = () => feed({ event: 'transport_failed' })

  function send(message: SipRequest): void {
    transport.send(message, peer).then(() => (hasSent = true), failTransport)
  }

  follow(first)
  return {
    request,
    peer,
    abandon: end,
    receive: (response) => feed({ event: 'response', status: response.status }, response),
    noteCanceled: () => feed({ event: 'canceled' }),
    failTransport,
    hasSent: () => hasSent,
  }
}
