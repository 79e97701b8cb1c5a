import { request as requestHttps } from 'node:https'
import { type IncomingMessage, request as requestHttp } from '@vaani/service-kit/lifecycle/node-http'
import type { Upgrade } from '@vaani/service-kit/http/connection/upgrades'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { answerFailure, refuse } from './answer-failure.ts'
import { keepEndToEnd } from './end-to-end.ts'
import { end, type Exchange, hasBody, headersFor, type TransportSettings } from './exchange.ts'
import { passOn } from './pass-on.ts'

/** How long the other side may stay silent once one side has ended: time enough for a closing handshake. */
const CLOSING_IDLE_MS = 5000
const UPGRADE = ['Connection', 'Upgrade', 'Upgrade', 'websocket']

/**
 * Passes upgrades to WebSockets on to a deployment. If it accepts, bytes flow both ways until a side ends or both are silent;
 * otherwise its answer is passed on.
 */
export function createTunnels({ target, maxConnections, idleTimeoutMs }: TransportSettings) {
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  let open = 0

  return function tunnel(exchange: Exchange, caller: Upgrade): void {
    const { request, response } = exchange
    if (hasBody(request)) return refuse(exchange, WITH_BODY)
    if (open >= maxConnections) return refuse(exchange, TOO_MANY)
    open++
    response.once('close', () => open--)
    const sent = send(target.origin, {
      // A connection of its own, because nothing else can follow on it.
      agent: false,
      path: exchange.path,
      headers: [...headersFor(exchange, target), ...UPGRADE],
      timeout: idleTimeoutMs,
    })
    exchange.abort = () => sent.destroy()
    sent
      .once('upgrade', (answer, deployment, head) => {
        end(exchange, 'answered')
        caller.socket.write(headOf(answer), 'latin1')
        join({ socket: deployment, head }, caller, idleTimeoutMs)
      })
      .once('response', (answer) => passOn(exchange, answer))
      .once('timeout', () => sent.destroy(new Error('The deployment does not answer')))
      .on('error', () => answerFailure(exchange))
      .end()
  }
}

const WITH_BODY = new ApiError('invalid_request', 'A request for an upgrade must not have a body')
const TOO_MANY = new ApiError('service_unavailable', 'Too many WebSockets are open')

function headOf({ statusMessage = '', rawHeaders, headers }: IncomingMessage): string {
  const fields = [
    'Connection',
    'Upgrade',
    'Upgrade',
    headers.upgrade ?? 'websocket',
    ...keepEndToEnd(rawHeaders),
  ]
  const lines: string[] = []
  for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}\r\n`)
  return `HTTP/1.1 101 ${statusMessage}\r\n${lines.join('')}\r\n`
}

function join(one: Upgrade, other: Upgrade, idleTimeoutMs: number): void {
  lead(one, other, idleTimeoutMs)
  lead(other, one, idleTimeoutMs)
}

/** Passes on what arrives at one end. Bytes in either direction pass both ends, so each end knows whether the tunnel is idle. */
function lead(from: Upgrade, to: Upgrade, idleTimeoutMs: number): void {
  to.socket.write(from.head)
  from.socket
    .setTimeout(idleTimeoutMs, () => from.socket.destroy())
    // `close` follows.
    .on('error', () => undefined)
    .once('end', () => to.socket.setTimeout(CLOSING_IDLE_MS))
    .once('close', () => to.socket.destroySoon())
    .pipe(to.socket)
}
