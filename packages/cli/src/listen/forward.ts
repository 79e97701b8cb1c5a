import type { Fetch } from '@vaani/client'
import { causeCodeOf } from '../cause-code.ts'

export interface Forwarded {
  /** Null where no answer came. */
  readonly status: number | null
  /** Why none came: a code of the system, or `timed_out`. */
  readonly error: string | null
}

/** Hands a body on as it is. Never follows a redirect, which would carry the signature elsewhere. */
export async function forward(
  url: string,
  options: {
    readonly body: Uint8Array<ArrayBuffer>
    readonly headers: Readonly<Record<string, string>>
    readonly timeoutMs: number
    readonly fetch: Fetch
    readonly signal: AbortSignal
  },
): Promise<Forwarded> {
  const { body, headers, timeoutMs, fetch, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'vaani-cli', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    // The status is all that is told, so nothing of an answer is held.
    await response.body?.cancel()
    return { status: response.status, error: null }
  } catch (error) {
    signal.throwIfAborted()
    return {
      status: null,
      error: timeout.aborted ? 'timed_out' : (causeCodeOf(error) ?? 'connection_failed'),
    }
  }
}
