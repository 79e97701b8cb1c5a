import type { Fetch } from '@vaani/client'
import { causeCodeOf } from '../failure/cause-code.ts'

export interface Forwarded {
  /** Null if there was no response. */
  readonly status: number | null
  /** Why there was none: a system code, `timed_out` or `connection_failed`. */
  readonly error: string | null
}

/** Forwards a body unchanged. Never follows a redirect, which would take the signature elsewhere. */
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
    // Only the status is reported, so do not buffer the body.
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
