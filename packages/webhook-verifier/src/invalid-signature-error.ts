import type { Failure, FailureCode } from './result.ts'

const marker = Symbol.for('vaani.InvalidSignatureError')

/**
 * What the throwing twins throw where the others answer `ok: false`.
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
  /** The service's own name for all of these, as in the error bodies of its API. */
  readonly type = 'invalid_signature'
  readonly code: FailureCode

  constructor({ code, message }: Pick<Failure, 'code' | 'message'>) {
    super(message)
    this.code = code
  }

  get [marker](): true {
    return true
  }

  /** Whether it is one, also where two copies of this package are installed. */
  static is(error: unknown): error is InvalidSignatureError {
    return error instanceof Error && marker in error
  }
}
