import type { RestRequest, RestResponse } from '../provider/provider.ts'

/** What became of a request. `not_sent`: it did not reach the provider; `unknown`: it may have. */
export type RestResult =
  | { readonly type: 'response'; readonly response: RestResponse }
  | { readonly type: 'not_sent' | 'unknown' }

/** Sends one request, once. Never throws. */
export type SendRequest = (request: RestRequest) => Promise<RestResult>

const TIMEOUT_MS = 10_000
const LARGEST_BODY_BYTES = 64 * 1024

/** Failures before a request is written: of DNS, of the connection, and of the provider's certificate. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Sends a request by fetch. It follows no redirection, and reads at most 64 KiB. */
export const sendRequest: SendRequest = async ({ method, url, headers, body }) => {
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await readBody(response)
    return { type: 'response', response: { status: response.status, body: text, ...retryAfterOf(response) } }
  } catch (error) {
    return { type: NOT_SENT.has(codeOf(error)) ? 'not_sent' : 'unknown' }
  }
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > LARGEST_BODY_BYTES) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function retryAfterOf(response: Response): { readonly retryAfterSeconds?: number } {
  const value = response.headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(value) ? { retryAfterSeconds: Number(value) } : {}
}

/** Returns the system code below `fetch failed`. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  const code: unknown =
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : ''
}
