import { CommanderError } from '@commander-js/extra-typings'
import { ApiError, StillPending, VaaniError } from '@vaani/client'
import { PlayError } from '@vaani/pcm-audio/play'
import { causeCodeOf, codeOf } from './cause-code.ts'
import { CliError, type RequestFacts } from './cli-error.ts'
import { type ExitFamily, familyOf } from './exit-codes.ts'
import { cellText } from '../output/text.ts'

/** An error to report. Except for the family, it is the body of the JSON on standard error. */
export interface Failure extends RequestFacts {
  readonly family: ExitFamily
  readonly code: string
  readonly message: string
  readonly operation?: string
  /** Id of the resource that is still pending; `status` is its last status. */
  readonly id?: string
  readonly status?: string | null
}

/** Errors that a person can fix by naming another file or port. */
const FILE_CODES: readonly string[] = [
  'ENOENT',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENOTDIR',
  'EROFS',
  'EADDRINUSE',
]

export function describeFailure(error: unknown): Failure {
  if (error instanceof CliError)
    return { family: error.family, code: error.code, message: error.message, ...error.facts }
  if (error instanceof CommanderError)
    return { family: 'usage', code: 'usage', message: withoutSecrets(error.message.replace(/^error: /, '')) }
  if (VaaniError.isInstance(error)) return describeVaaniError(error)
  if (error instanceof PlayError) return { family: 'unexpected', code: error.code, message: error.message }
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code !== undefined && FILE_CODES.includes(code)) return { family: 'usage', code, message }
  return { family: 'unexpected', code: 'unexpected', message }
}

/** Redacts a parser message: it repeats the wrong argument, which may be a key or a URL with a password. */
const withoutSecrets = (text: string): string =>
  text.replaceAll(/\b(sk|whsec)_[^\s'.]+/g, '$1_…').replaceAll(/\/\/[^\s/]*@/g, '//…@')

function describeVaaniError(error: VaaniError): Failure {
  const { code, operation, requestId, idempotencyKey, retryable } = error
  const reason = reasonOf(error)
  return {
    family: familyOf(code),
    code,
    message: error.message + (reason ? ` (${reason})` : ''),
    operation,
    request_id: requestId,
    idempotency_key: idempotencyKey,
    retryable,
    ...(ApiError.isInstance(error) && { param: error.param, details: error.details }),
    ...(StillPending.isInstance(error) && { id: error.id, status: error.status }),
  }
}

/** Returns what the error message lacks: the last status, the wrong field, or the reason why there is no connection. */
function reasonOf(error: VaaniError): string | null | undefined {
  if (StillPending.isInstance(error)) return error.status
  if (ApiError.isInstance(error)) {
    const isNamed = error.details.length > 0 || error.message.includes(`${error.param}: `)
    return isNamed ? null : error.param && cellText(error.param)
  }
  // The message of a `ConnectionError` has it.
  return error.code === 'connection_failed' ? null : causeCodeOf(error.cause)
}
