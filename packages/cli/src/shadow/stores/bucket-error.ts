import { CliError } from '../../failure/cli-error.ts'

/** An object that cannot be read, although others may be. */
export class ObjectError extends Error {
  readonly isDenied: boolean
  constructor(message: string, isDenied = false) {
    super(message)
    this.isDenied = isDenied
  }
}

/** A failure that may be over at the next attempt. */
export class TemporaryError extends Error {}

const MAX_ERROR_BYTES = 64 * 1024
const REGION = /^[a-z0-9-]{1,50}$/
const OF_CREDENTIALS: readonly string[] = ['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired']
const TEMPORARY: readonly string[] = ['RequestTimeout', 'SlowDown']

/**
 * Returns what a refused download means. It quotes only the code of the service: its message may repeat what was signed.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export async function toError(response: Response, bucket: string): Promise<Error> {
  const { status } = response
  const code = await readCode(response)
  const shown = code === null ? `${status}` : `${status} ${code}`
  if (status >= 500 || status === 429 || status === 408 || TEMPORARY.includes(code ?? ''))
    return new TemporaryError(`the storage service answers ${shown}`)
  if (code === 'NoSuchBucket') return new CliError(`there is no bucket ${bucket}`, { family: 'not_found' })
  if (status === 404) return new ObjectError('there is no such object')
  if (code === 'AccessDenied')
    return new ObjectError('the credentials give no access to the object, or there is none', true)
  if (code === 'InvalidObjectState') return new ObjectError('the object is archived')
  if (status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed') {
    const region = response.headers.get('x-amz-bucket-region') ?? ''
    const hint = REGION.test(region) ? `: set AWS_REGION to ${region}` : ': check AWS_REGION and the endpoint'
    return new CliError(`the bucket ${bucket} is elsewhere${hint}`, { family: 'usage' })
  }
  if (code === 'RequestTimeTooSkewed')
    return new CliError(
      'the storage service refuses the request because the clock of this machine is wrong',
      {
        family: 'access',
      },
    )
  if (status === 401 || status === 403 || OF_CREDENTIALS.includes(code ?? ''))
    return new CliError(
      `the storage service refuses the credentials (${shown}): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN`,
      { family: 'access' },
    )
  return new CliError(`the storage service answers ${shown}`, { family: 'unavailable' })
}

/** Returns the code in the XML of an error, if there is one in its beginning. */
async function readCode(response: Response): Promise<string | null> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const part of response.body ?? []) {
      text += decoder.decode(part, { stream: true })
      if (text.length > MAX_ERROR_BYTES) break
    }
  } catch {
    // The status says enough.
  }
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? null
}
