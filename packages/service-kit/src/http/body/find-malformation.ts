import type { IncomingMessage } from 'node:http'
import { ApiError } from '../errors/api-error.ts'

type Message = Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>

/** `uri-host [ ":" port ]` of RFC 9110, section 7.2. It may be empty. */
const HOST = /^(?:[a-z0-9\-._~!$&'()*+,;=%]*|\[[0-9a-f:.]+\])(?::\d*)?$/i

/** Headers of which Node keeps the first and drops repetitions. A proxy may have used another one. */
const SINGLE_FIELDS: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type'])

/**
 * Returns an error for requests that Node's parser accepts but a proxy in front of this server could interpret differently:
 * versions other than HTTP/1, no host or several (RFC 9112, section 3.2), and codings besides `chunked` (section 6.1).
 */
export function findMalformation(message: Message): ApiError | null {
  const { httpVersion, headers } = message
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return refuse('The request is not HTTP/1.1', null)
  const repeated = findRepeated(message)
  if (repeated !== null) return refuse(`${repeated}: must not be repeated`, repeated)
  const { host, 'transfer-encoding': coding } = headers
  if (host === undefined ? httpVersion === '1.1' : !HOST.test(host))
    return refuse('host: must be a host with an optional port', 'host')
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return refuse('transfer-encoding: must be chunked', 'transfer-encoding')
  return null
}

const refuse = (message: string, param: string | null) => new ApiError('invalid_request', message, { param })

function findRepeated({ rawHeaders }: Message): string | null {
  let seen = ''
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!SINGLE_FIELDS.has(name)) continue
    if (seen.includes(`${name};`)) return name
    seen += `${name};`
  }
  return null
}
