import { type Clock, type Fetch } from '@vaani/client'
import { createVerifier, type Signer } from '@vaani/webhook-verifier'
import { type Forwarded, forward } from './forward.ts'
import type { Delivery } from './receiver.ts'

/** What became of a delivery. */
export type Relayed =
  | { readonly type: 'refused'; readonly code: string }
  | ({ readonly type: 'delivery'; readonly event_id: string; readonly event_type: string } & Forwarded & {
        readonly duration_ms: number
      })

export type Relay = (delivery: Delivery) => Promise<Relayed>

/** Verifies a delivery, signs it anew with the receiver's secret, and hands it on, byte for byte. */
export function createRelay(options: {
  /** Of the endpoint. */
  readonly secret: string
  readonly forwardTo: string
  /** With the secret that the receiver verifies with. */
  readonly signer: Signer
  readonly timeoutMs: number
  readonly clock: Clock
  readonly fetch: Fetch
  readonly signal: AbortSignal
}): Relay {
  const { secret, forwardTo, signer, timeoutMs, clock, fetch, signal } = options
  const verifier = createVerifier({ secrets: secret, requireTimestamp: true, clock: () => clock.nowMs() })
  return async ({ body, headers }) => {
    const result = await verifier.verify(body, headers)
    if (!result.ok) return { type: 'refused', code: result.code }
    const startedAtMs = clock.nowMs()
    const { event_id, type: event_type } = result.event
    const attempt = { id: event_id, timestampSeconds: Math.floor(startedAtMs / 1000) }
    const signature = await signer.sign(body, attempt)
    const forwarded = await forward(forwardTo, {
      body: Uint8Array.from(body),
      headers: signature,
      timeoutMs,
      fetch,
      signal,
    })
    return { type: 'delivery', event_id, event_type, ...forwarded, duration_ms: clock.nowMs() - startedAtMs }
  }
}
