export type ChatErrorCode =
  /** No provider has a model of this name. */
  | 'model_not_found'
  /** The provider refused this request; it answers others. */
  | 'request_refused'
  /** The provider asks to wait. */
  | 'provider_busy'
  | 'provider_failed'
  /** The provider was silent for too long. */
  | 'provider_timed_out'
  | 'provider_closed'
  /** The caller's signal aborted. */
  | 'aborted'

export interface ChatErrorOptions extends ErrorOptions {
  /** With `request_refused`: the field that was refused, as in `messages.0.content` or `response_format.json_schema`. */
  param?: string | undefined
  /** With `request_refused`: a word of the provider for the reason, as in `context_length_exceeded`. */
  reason?: string | undefined
  /** With `provider_busy` and `provider_failed`: how long the provider asks to wait, or is given no requests. */
  retryAfterMs?: number | undefined
}

/**
 * Reports that a chat was not answered. The message contains neither the request nor what a server said about it.
 *
 * @example
 * throw new ChatError('request_refused', 'tools.0.function.parameters: is not a JSON Schema', {
 *   param: 'tools.0.function.parameters',
 * })
 */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly code: ChatErrorCode
  readonly param: string | undefined
  readonly reason: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: ChatErrorCode, message: string, options: ChatErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.param = options.param
    this.reason = options.reason
    this.retryAfterMs = options.retryAfterMs
  }
}
