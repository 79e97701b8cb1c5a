import type { WebhookEvent } from '../events.ts'
import { DEFAULT_MAX_BODY_BYTES, receive, tooLarge } from './receive.ts'
import type { ReceiverOptions } from './receive.ts'

/** The part of an event of API Gateway (REST, HTTP), a function URL or a load balancer that this adapter reads. */
export interface LambdaRequest {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** Instead of `headers` from a load balancer that is set to multi-value headers, beside it from a REST API. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  readonly body?: unknown
  readonly isBase64Encoded?: boolean
}

export interface LambdaAnswer {
  readonly statusCode: number
  readonly headers: Record<string, string>
  /** In answer to multi-value headers: such a load balancer ignores `headers`. */
  readonly multiValueHeaders?: Record<string, string[]>
  readonly body: string
}

const FIX =
  'In Lambda: pass the event on unchanged, with its body as text; run any middleware that parses it later.'

/**
 * Creates an AWS Lambda handler for API Gateway, a function URL or a load balancer. Errors thrown by `onEvent` fail the invocation, and
 * the caller gets a 502 or 500.
 *
 * @example
 * ```ts
 * export const handler = lambdaReceiver({ verifier, onEvent: (event) => console.log(event.type) })
 * ```
 */
export function lambdaReceiver<Event = WebhookEvent>(
  options: ReceiverOptions<Event>,
): (request: LambdaRequest) => Promise<LambdaAnswer> {
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options
  return async ({ headers, multiValueHeaders, body, isBase64Encoded }) => {
    const raw = typeof body === 'string' ? toBytes(body, isBase64Encoded === true) : (body ?? '')
    const isTooLarge = raw instanceof Uint8Array && raw.length > maxBodyBytes
    const answer = isTooLarge
      ? tooLarge()
      : await receive(options, { body: raw, headers: multiValueHeaders ?? headers ?? {}, fix: FIX })
    const named = Object.entries(answer.headers)
    return {
      statusCode: answer.status,
      headers: Object.fromEntries(named),
      ...(multiValueHeaders && {
        multiValueHeaders: Object.fromEntries(named.map(([name, value]) => [name, [value]])),
      }),
      body: answer.body,
    }
  }
}

function toBytes(text: string, isBase64: boolean): Uint8Array {
  if (!isBase64) return new TextEncoder().encode(text)
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
