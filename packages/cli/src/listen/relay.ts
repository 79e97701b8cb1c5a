import type { Clock, Fetch } from '@vaani/client'
import { createVerifier, type Signer } from '@vaani/webhook-verifier'
import { type Forwarded, forward } from './forward.ts'
import type { Delivery } from './receiver.ts'
import { parseJson } from '../input/parse-json.ts'

interface EventNames {
  readonly event_id: string
  readonly event_type: string
}

/** Outcome of a delivery: rejected, forwarded to a program, or only to be printed. */
export type Relayed =
  | { readonly type: 'refused'; readonly code: string }
  | ({ readonly type: 'delivery'; readonly duration_ms: number } & EventNames & Forwarded)
  | ({ readonly type: 'event'; readonly event: unknown } & EventNames)

/** Handles a verified event: forwards it, or only shows it. */
export type HandOn = (
  body: Uint8Array,
  event: { readonly event_id: string; readonly type: string },
) => Promise<Relayed>

/** Shows an event instead of forwarding it. */
export const showEvent: HandOn = async (body, { event_id, type: event_type }) => ({
  type: 'event',
  event_id,
  event_type,
  event: parseJson(Buffer.from(body).toString('utf8')),
})

export type Relay = (delivery: Delivery) => Promise<Relayed>

/** Verifies a delivery with the secret of the endpoint, and forwards it. */
export function createRelay(options: {
  readonly secret: string
  readonly handOn: HandOn
  readonly clock: Clock
}): Relay {
  const { secret, handOn, clock } = options
  const verifier = createVerifier({ secrets: secret, requireTimestamp: true, clock: () => clock.nowMs() })
  return async ({ body, headers }) => {
    const result = await verifier.verify(body, headers)
    return result.ok ? handOn(body, result.event) : { type: 'refused', code: result.code }
  }
}

/** Signs an event with the receiver's secret, and forwards it byte for byte. */
export function createHandOn(options: {
  readonly forwardTo: string
  /** Signs with the secret that the receiver verifies with. */
  readonly signer: Signer
  readonly timeoutMs: number
  readonly clock: Clock
  readonly fetch: Fetch
  readonly signal: AbortSignal
}): HandOn {
  const { forwardTo, signer, timeoutMs, clock, fetch, signal } = options
  return async (body, { event_id, type: event_type }) => {
    const startedAtMs = clock.nowMs()
    const attempt = { id: event_id, timestampSeconds: Math.floor(startedAtMs / 1000) }
    const headers = await signer.sign(body, attempt)
    const bytes = Uint8Array.from(body)
    const forwarded = await forward(forwardTo, { body: bytes, headers, timeoutMs, fetch, signal })
    return { type: 'delivery', event_id, event_type, ...forwarded, duration_ms: clock.nowMs() - startedAtMs }
  }
}
