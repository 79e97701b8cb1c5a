import { LIMITS } from '@vaani/contracts'
import type { SessionEnd } from './session.ts'

const RING_MS = LIMITS.ringSeconds * 1000
/** No phone is rung for less. */
const SHORTEST_RING_MS = 5000

/** A call with the carrier that is tried, and what it needs there. */
export interface Attempt<Call, Prepared> {
  call: Call
  prepared: Prepared
}

/**
 * Rings at one carrier, and at the next if its trunk refused the call for want of service before the first ring. All of it is one dial:
 * the claim of the call stays, so that no other worker dials it, and after a crash it ends as interrupted.
 */
export async function ringInTurn<Call extends { carrier: string }, Prepared>(options: {
  first: Attempt<Call, Prepared>
  /** Names of the carriers to try after the first. */
  others: readonly string[]
  ring: (attempt: Attempt<Call, Prepared>, ringTimeoutMs: number) => Promise<SessionEnd>
  /** Returns null if the call cannot be dialled there now. */
  prepare: (call: Call) => Promise<Prepared | null>
  /** Notes the carrier of the call; false if this worker no longer holds it. */
  reroute: (call: Call) => Promise<boolean>
  /** Aborted once the call is hung up. */
  signal: AbortSignal
  monotonicMs?: () => number
}): Promise<SessionEnd> {
  const { others, ring, prepare, reroute, signal, monotonicMs = () => performance.now() } = options
  const ringUntilMs = monotonicMs() + RING_MS
  const mayGoOn = () => !signal.aborted && ringUntilMs - monotonicMs() >= SHORTEST_RING_MS
  let attempt = options.first
  let end = await ring(attempt, RING_MS)
  for (const carrier of others) {
    if (end.untaken !== true || !mayGoOn()) return end
    const call = { ...attempt.call, carrier }
    const prepared = await prepare(call)
    if (prepared === null) continue
    if (!mayGoOn() || !(await reroute(call))) return end
    attempt = { call, prepared }
    end = await ring(attempt, Math.floor(ringUntilMs - monotonicMs()))
  }
  return end
}
