import { CommanderError } from '@commander-js/extra-typings'
import { ApiError, StillPending, VaaniError } from '@vaani/client'
import { PlayError } from '@vaani/pcm-audio/play'
import { causeCodeOf, codeOf } from './cause-code.ts'
import { CliError, type RequestFacts } from './cli-error.ts'
import { type ExitFamily, familyOf } from './exit-codes.ts'
import { cellText } from './output/text.ts'

/** An error as it is told: the body of the JSON on standard error, but for the family. */
export interface Failure extends RequestFacts {
  readonly family: ExitFamily
  readonly code: string
  readonly message: string
  readonly operation?: string
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
  return causeCodeOf(error.cause)
}
