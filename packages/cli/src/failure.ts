import { CommanderError } from '@commander-js/extra-typings'
import { ApiError, type ErrorDetail, StillPending, VaaniError } from '@vaani/client'
import { PlayError } from '@vaani/pcm-audio/play'
import { CliError } from './cli-error.ts'
import { type ExitFamily, familyOf } from './exit-codes.ts'
import { cellText } from './output/text.ts'

/** An error as it is told: the body of the JSON on standard error, but for the family. */
export interface Failure {
  readonly family: ExitFamily
  readonly code: string
  readonly message: string
  readonly operation?: string
  readonly request_id?: string | null
  /** Goes on with a request whose outcome is unknown. */
  readonly idempotency_key?: string | null
  readonly retryable?: boolean
  readonly param?: string | null
  readonly details?: readonly ErrorDetail[]
  /** Of what is still pending, with its last status. */
  readonly id?: string
  readonly status?: string | null
}

/** What a person can mend by naming another file. */
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
  if (error instanceof CliError) return { family: error.family, code: error.code, message: error.message }
  if (error instanceof CommanderError)
    return { family: 'usage', code: 'usage', message: withoutSecrets(error.message.replace(/^error: /, '')) }
  if (VaaniError.isInstance(error)) return describeVaaniError(error)
  if (error instanceof PlayError) return { family: 'unexpected', code: error.code, message: error.message }
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code !== undefined && FILE_CODES.includes(code)) return { family: 'usage', code, message }
  return { family: 'unexpected', code: 'unexpected', message }
}

/** An argument that is wrong is repeated by the parser, and it may be a key, or an address with a password. */
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

/** What the message of the error does not hold: the last status, the field that is wrong, why there is no connection. */
function reasonOf(error: VaaniError): string | null | undefined {
  if (StillPending.isInstance(error)) return error.status
  if (ApiError.isInstance(error))
    return error.details.length === 0 ? error.param && cellText(error.param) : null
  return causeCodeOf(error)
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** The system's word for why a connection failed, as ECONNREFUSED. */
function causeCodeOf(error: Error): string | undefined {
  if (!(error.cause instanceof Error)) return undefined
  return codeOf(error.cause) ?? causeCodeOf(error.cause)
}
