import type { ErrorDetail } from '@vaani/client'
import { CliError } from '../failure/cli-error.ts'
import { familyOf } from '../failure/exit-codes.ts'
import { parseJson } from '../input/parse-json.ts'
import { cellText } from '../output/text.ts'
import { readBody } from './read-body.ts'

const MAX_ERROR_BYTES = 64 * 1024
const RETRYABLE: readonly number[] = [408, 429, 500, 502, 503, 504]

/** Returns the error for a response. If it is not from the service but, say, a proxy, only its status is known. */
export async function failureOf(
  response: Response,
  { name, idempotencyKey }: { name: string; idempotencyKey: string | undefined },
): Promise<CliError> {
  const { status, headers } = response
  const location = headers.get('location')
  if (status >= 300 && status < 400) {
    await response.body?.cancel()
    return new CliError(`${name}: ${status}${location ? `, to ${cellText(location)}` : ''}`, {
      family: 'unexpected',
      code: 'redirected',
    })
  }
  const text = response.body ? await readBody(response.body, MAX_ERROR_BYTES) : ''
  const { code, message, param, details, request_id } = propertiesOf(propertiesOf(readJson(text))['error'])
  const known = typeof code === 'string' && /^[a-z0-9_]{1,64}$/.test(code) ? code : 'unrecognized'
  const sentence = typeof message === 'string' && message !== '' ? `: ${cellText(message)}` : ''
  return new CliError(`${name}: ${status} ${known}${sentence}`, {
    family: familyOf(known),
    code: known,
    facts: {
      request_id: typeof request_id === 'string' ? request_id : null,
      idempotency_key: idempotencyKey ?? null,
      param: typeof param === 'string' ? param : null,
      details: Array.isArray(details) ? details.filter(isDetail) : [],
      retryable: RETRYABLE.includes(status),
    },
  })
}

/** Returns the properties of any value; none if it is not an object. */
const propertiesOf = (value: unknown): Record<string, unknown> => Object(value)

const isDetail = (value: unknown): value is ErrorDetail => typeof propertiesOf(value)['message'] === 'string'

function readJson(text: string | undefined): unknown {
  try {
    return parseJson(text ?? '')
  } catch {
    // Drop the error, because it quotes the text.
    return undefined
  }
}
