import type { Dispatcher } from 'undici'
import { readErrorCode } from './read-reported.ts'

/** A request that a deployment answers without doing anything. */
export interface Probe {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly apiKey: string | undefined
}

/** The status, and the error code of the contract if there is one; without an answer, why. */
export type ProbeResult =
  | { readonly status: number; readonly errorCode: string | null }
  | { readonly status: null; readonly cause: string }

const TIMEOUT_MS = 5000

export async function probe(
  exchange: (
    path: string,
    given: Omit<Dispatcher.RequestOptions, 'path' | 'origin'>,
    signal: AbortSignal,
  ) => Promise<{ readonly status: number; readonly body: unknown }>,
  { method, path, apiKey }: Probe,
): Promise<ProbeResult> {
  const isPost = method === 'POST'
  const headers = {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(isPost && { 'content-type': 'application/json' }),
  }
  try {
    const given = { method, headers, body: isPost ? '{}' : null }
    const { status, body } = await exchange(path, given, AbortSignal.timeout(TIMEOUT_MS))
    return { status, errorCode: readErrorCode(body) }
  } catch (error) {
    return { status: null, cause: causeOf(error) }
  }
}

/** Returns a code such as ECONNREFUSED. */
export const causeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'timeout'
