import { PassThrough, Readable } from 'node:stream'
import { contract } from '@vaani/contracts'
import { convertToV2, FormError } from '../../convert/to-v2.ts'
import { answerFailure, makeRefusal } from '../answer-failure.ts'
import type { Deployment } from '../deployment.ts'
import { type Exchange, hasBody, sendAnswer, watchRequest } from '../exchange.ts'
import { nameV1Parts } from './name-v1-parts.ts'

/** Headers of the form that do not hold for its JSON. Without `Accept-Encoding`, a refusal arrives as it can be read. */
const OF_THE_FORM = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-digest',
  'repr-digest',
  'digest',
  'content-md5',
  'accept-encoding',
]
/** Since when version 1 is deprecated (RFC 9745), as the reference server says, and what follows it (RFC 5829). */
const DEPRECATION = {
  Deprecation: `@${Date.UTC(2026, 10, 20) / 1000}`,
  Link: `<${contract.identity.submitV2.path}>; rel="successor-version"`,
}
const IS_FORM = /^multipart\/form-data\s*;.*boundary=/i

/**
 * Sends a submission of version 1 to a deployment of version 2, as JSON, while it arrives. Both versions answer in one schema;
 * only refusals name fields, and get the names of the form.
 */
export function serveV1ByV2(exchange: Exchange, candidate: Deployment): void {
  const { request, response } = exchange
  for (const [name, value] of Object.entries(DEPRECATION)) response.setHeader(name, value)
  const contentType = request.headers['content-type'] ?? ''
  if (!IS_FORM.test(contentType) || !hasBody(request))
    return sendAnswer(
      exchange,
      makeRefusal('unsupported_media_type', 'Send multipart/form-data with a boundary'),
    )
  watchRequest(exchange)
  // The converter destroys its source, and destroying the request would close the connection before the answer.
  const form = request.pipe(new PassThrough())
  response.once('close', () => form.destroy())
  let fault: FormError | null = null

  async function* convert(): AsyncGenerator<string> {
    try {
      yield* convertToV2(form, contentType, { callbackUrl: null, storeMedia: true, requiresParts: true })
    } catch (error) {
      if (error instanceof FormError) fault = error
      throw error
    }
  }

  exchange.path = exchange.path.replace(contract.identity.submitV1.path, contract.identity.submitV2.path)
  exchange.substitute = {
    body: Readable.from(convert(), { objectMode: false }),
    headers: ['Content-Type', 'application/json'],
    drops: OF_THE_FORM,
  }
  exchange.holding = {
    wants: (status) => status >= 400,
    onHeld: (refusal) => sendAnswer(exchange, nameV1Parts(refusal)),
    onFailed() {
      if (fault === null) answerFailure(exchange)
      else sendAnswer(exchange, makeRefusal(fault.code, fault.message, fault.param))
    },
  }
  candidate.carry(exchange)
}
