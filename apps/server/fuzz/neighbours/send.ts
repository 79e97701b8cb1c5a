import type { Sent } from './attacks.ts'

/** Sends a request, and reads its answer to the end. */
export async function send(server: string, { route, type, body }: Sent, key: string, signal?: AbortSignal) {
  const startMs = performance.now()
  const response = await fetch(server + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body,
    signal: signal ?? null,
  })
  const answer = await response.text()
  return { status: response.status, answer, ms: performance.now() - startMs }
}
