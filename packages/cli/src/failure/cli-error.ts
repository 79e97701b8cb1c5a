import type { ErrorDetail } from '@vaani/client'
import type { ExitFamily } from './exit-codes.ts'

/** Facts about a request that failed. */
export interface RequestFacts {
  readonly request_id?: string | null
  /** Resumes a request whose outcome is unknown. */
  readonly idempotency_key?: string | null
  readonly retryable?: boolean
  readonly param?: string | null
  readonly details?: readonly ErrorDetail[]
}

/** An error that a command raises itself. The message is for the person who typed the command. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly family: ExitFamily
  readonly code: string
  readonly facts: RequestFacts

  constructor(
    message: string,
    options: { family: ExitFamily; code?: string; facts?: RequestFacts; cause?: unknown },
  ) {
    const { family, code = family, facts = {}, cause } = options
    super(message, cause === undefined ? undefined : { cause })
    this.family = family
    this.code = code
    this.facts = facts
  }
}

export const usageError = (message: string): CliError => new CliError(message, { family: 'usage' })
