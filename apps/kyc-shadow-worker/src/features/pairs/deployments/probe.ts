import type { Dispatcher } from 'undici'
import { readErrorCode } from './read-reported.ts'

/** A request of a check, which leaves nothing behind. */
export interface Probe {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly apiKey: string | undefined
  /** Of a POST; nothing by default. */
  readonly json?: object
  /** Five seconds by default. */
  readonly timeoutMs?: number
}

/** The status, the error code of the contract if there is one, and the body; without an answer, why. */
export type ProbeResult =
  | { readonly status: number; readonly errorCode: string | null; readonly body?: unknown }
  | { readonly status: null; readonly cause: string }

const TIMEOUT_MS = 5000

export async function probe(
  exchange: (
    path: string,
    given: Omit<Dispatcher.RequestOptions, 'path' | 'origin'>,
    signal: AbortSignal,
  ) => Promise<{ readonly status: number; readonly body: unknown }>,
  { method, path, apiKey, json = {}, timeoutMs = TIMEOUT_MS }: Probe,
): Promise<ProbeResult> {
  const isPost = method === 'POST'
  const headers = {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(isPost && { 'content-type': 'application/json' }),
  }
  try {
    const given = { method, headers, body: isPost ? JSON.stringify(json) : null }
    const { status, body } = await exchange(path, given, AbortSignal.timeout(timeoutMs))
    return { status, errorCode: readErrorCode(body), body }
  } catch (error) {
    return { status: null, cause: causeOf(error) }
  }
}

/** Returns a code such as ECONNREFUSED. */
export const causeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'timeout'
