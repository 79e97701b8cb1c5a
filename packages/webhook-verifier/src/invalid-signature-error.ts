import type { Failure, FailureCode } from './result.ts'

const marker = Symbol.for('vaani.InvalidSignatureError')

/**
 * Thrown by `verifyOrThrow` where `verify` returns `ok: false`.
 *
 * @example
 * ```ts
 * try {
 *   await verifier.verifyOrThrow(body, headers)
 * } catch (error) {
 *   if (!InvalidSignatureError.is(error)) throw error
 *   return new Response(error.code, { status: 400 })
 * }
 * ```
 */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError'
  /** The service's name for all of these codes, as in the error bodies of its API. */
  readonly type = 'invalid_signature'
  readonly code: FailureCode

  constructor({ code, message }: Pick<Failure, 'code' | 'message'>) {
    super(message)
    this.code = code
  }

  get [marker](): true {
    return true
  }

  /** Recognizes the error even if it comes from another installed copy of this package. */
  static is(error: unknown): error is InvalidSignatureError {
    return error instanceof Error && marker in error
  }
}
