import { CliError, usageError } from '../../failure/cli-error.ts'

/** Where a prefix of a bucket is, and what signs the requests. */
export interface BucketAddress {
  readonly bucket: string
  /** Without a slash at its ends; may be empty. */
  readonly prefix: string
  readonly region: string
  /** URL of the bucket, without a slash at its end. */
  readonly url: string
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
}

const SCHEME = 's3://'
/** Amazon's rules for names of buckets. Other services have narrower ones. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,50}$/
/** Characters that a header may carry. */
const CREDENTIAL = /^[\x21-\x7e]+$/
/** Region of services that have none, as in the AWS SDKs. */
const DEFAULT_REGION = 'us-east-1'

export const isBucketAddress = (place: string): boolean => place.startsWith(SCHEME)

/**
 * Reads `s3://BUCKET/PREFIX` and the usual variables of AWS.
 *
 * @throws CliError that names the variable, and quotes none
 */
export function readBucketAddress(
  place: string,
  variables: Readonly<Record<string, string | undefined>>,
): BucketAddress {
  const [bucket = '', ...rest] = place.slice(SCHEME.length).split('/')
  if (!BUCKET.test(bucket)) throw usageError('the address must be s3://BUCKET/PREFIX')
  const prefix = rest.join('/').replace(/\/$/, '')
  if (prefix !== '' && !isPlainKey(prefix))
    throw usageError('the prefix must have no empty part, and none that is . or ..')
  const endpoint = variables['AWS_ENDPOINT_URL_S3'] || variables['AWS_ENDPOINT_URL']
  const named = variables['AWS_REGION'] || variables['AWS_DEFAULT_REGION']
  const region = named || (endpoint ? DEFAULT_REGION : '')
  if (region === '') throw usageError('set AWS_REGION to the region of the bucket, or AWS_ENDPOINT_URL_S3')
  if (!REGION.test(region)) throw usageError('AWS_REGION must be the name of a region, such as ap-south-1')
  return { bucket, prefix, region, url: urlOf(bucket, region, endpoint), credentials: read(variables) }
}

/** Returns whether a key has only parts that a URL keeps as they are. */
export const isPlainKey = (key: string): boolean =>
  key.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && key.isWellFormed()

function urlOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint) return `${checkEndpoint(endpoint)}/${bucket}`
  // The certificate of a host per bucket does not cover names with dots.
  return bucket.includes('.')
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`
}

function checkEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username + url.password + url.search + url.hash !== ''
  )
    throw usageError(
      'AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL must be an http or https URL without a user, a query and a fragment',
    )
  return url.href.replace(/\/+$/, '')
}

function read(variables: Readonly<Record<string, string | undefined>>): BucketAddress['credentials'] {
  const [accessKeyId, secretAccessKey, sessionToken] = [
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ].map((name) => {
    const value = variables[name]
    if (!value) return undefined
    if (!CREDENTIAL.test(value))
      throw new CliError(`${name} must be printable ASCII without spaces`, { family: 'access' })
    return value
  })
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new CliError(
      'there are no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      {
        family: 'access',
        code: 'not_logged_in',
      },
    )
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}
