import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { Agent as HttpAgent, request as requestHttp } from '@vaani/service-kit/lifecycle/node-http'
import { answerFailure } from './answer-failure.ts'
import {
  type Exchange,
  headersFor,
  type Transport,
  type TransportSettings,
  watchRequest,
} from './exchange.ts'
import { passOn } from './pass-on.ts'

/** A server may ignore the expectation (RFC 9110, section 10.1.1). curl waits as long. */
const CONTINUE_WAIT_MS = 1000

/** Carries requests whose callers wait for a 100 before they send the body. Whether they get it is up to the deployment. */
export function createExpectingTransport(settings: TransportSettings): Transport {
  const isHttps = settings.target.protocol === 'https:'
  const options = { keepAlive: true, maxSockets: settings.maxConnections }
  const agent = isHttps ? new HttpsAgent(options) : new HttpAgent(options)
  return {
    carry: (exchange) => carry(exchange, settings, isHttps ? requestHttps : requestHttp, agent),
    close: async () => agent.destroy(),
  }
}

function carry(
  exchange: Exchange,
  { target, idleTimeoutMs }: TransportSettings,
  send: typeof requestHttp,
  agent: HttpAgent,
): void {
  const { request } = exchange
  const sent = send(target.origin, {
    agent,
    path: exchange.path,
    method: request.method,
    headers: [...headersFor(exchange, target), 'Expect', '100-continue'],
    timeout: idleTimeoutMs,
  })
  exchange.abort = () => sent.destroy()
  let isBodyAsked = false
  const sendBody = (): void => {
    if (isBodyAsked) return
    isBodyAsked = true
    watchRequest(exchange)
    // Reading it is what sends the caller its 100.
    request.pipe(sent)
  }
  const patience = setTimeout(sendBody, CONTINUE_WAIT_MS)
  sent
    .once('continue', sendBody)
    .once('response', (answer) => {
      clearTimeout(patience)
      passOn(exchange, answer)
      // The deployment does not want the rest. Without this the agent would hold the connection until it times out.
      answer.once('close', () => {
        if (!sent.writableFinished) sent.destroy()
      })
    })
    .once('timeout', () => sent.destroy(new Error('The deployment does not answer')))
    .once('close', () => clearTimeout(patience))
    .on('error', () => answerFailure(exchange))
}
