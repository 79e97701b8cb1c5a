import { buffer } from 'node:stream/consumers'
import { LIMITS } from '@vaani/contracts'
import { answerFailure } from '../answer-failure.ts'
import type { Deployment } from '../deployment.ts'
import { type Exchange, hasBody, type HeldAnswer, sendAnswer } from '../exchange.ts'

/** How long a deployment may take that is asked only because the first does not know the id. */
const SECOND_WAIT_MS = 2000
const NOT_FOUND = 404

/**
 * Asks for a verification where it probably is, and if it is not known there, at the other deployment: a refusal with 404
 * changes nothing, so it is safe to ask again, whatever the method. An answer of the other counts only if it knows the id.
 *
 * @param onFound called with the deployment that knows the id
 */
export async function findVerification(
  exchange: Exchange,
  order: readonly [first: Deployment, second: Deployment],
  onFound: (deployment: Deployment) => void,
): Promise<void> {
  const [first, second] = order
  const { request } = exchange
  if (hasBody(request)) {
    // Without a small body there is nothing to ask again with.
    if (!(Number(request.headers['content-length']) <= LIMITS.jsonBodyBytes)) return first.carry(exchange)
    const body = await buffer(request).catch(() => null)
    // The caller has left.
    if (body === null) return
    exchange.substitute = { body, headers: [], drops: [] }
  }
  exchange.holding = {
    wants(status) {
      if (status < 300) onFound(first)
      return status === NOT_FOUND
    },
    onHeld: (unknown) => askSecond(exchange, { second, unknown, onFound }),
    onFailed: () => answerFailure(exchange),
  }
  first.carry(exchange)
}

function askSecond(
  exchange: Exchange,
  options: { second: Deployment; unknown: HeldAnswer; onFound: (deployment: Deployment) => void },
): void {
  const { second, unknown, onFound } = options
  if (exchange.outcome !== null) return
  const giveUp = setTimeout(() => exchange.abort(), SECOND_WAIT_MS)
  const answerUnknown = (): void => {
    clearTimeout(giveUp)
    sendAnswer(exchange, unknown)
  }
  exchange.holding = {
    wants(status) {
      const isKnown = status < 400 || KNOWN.has(status)
      if (isKnown) {
        clearTimeout(giveUp)
        onFound(second)
      }
      return !isKnown
    },
    onHeld: answerUnknown,
    onFailed: answerUnknown,
  }
  second.carry(exchange)
}

/** Refusals that only a deployment gives that knows the id: in another state, or read too often. */
const KNOWN: ReadonlySet<number> = new Set([409, 429])
