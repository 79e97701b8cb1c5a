import { createHmac } from 'node:crypto'

/** Returns the headers of Standard Webhooks, which `@vaani/webhook-verifier` verifies. */
export function signatureHeaders(
  key: Uint8Array,
  { id, nowMs, body }: { id: string; nowMs: number; body: string },
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
