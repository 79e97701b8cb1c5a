import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Contract } from '@vaani/contracts'
import { sniffMedia } from '@vaani/identity-checks'
import { BlobError } from '@vaani/service-kit/blobs/blob-store'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { requireVerification } from '../require-verification.ts'
import { personOf } from '../review/person.ts'

/** GET /identity/verifications/{verification_id}/review/media */
export function lookAtMedia(context: IdentityContext): Handler<Contract['reviews']['media']> {
  return async ({ params, query, request, reply }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    const artifact = row.artifacts.find(({ name }) => name === query.artifact)
    if (artifact === undefined || row.data_key === null)
      throw new ApiError('not_found', 'The verification has no such media, or no longer')
    const { verification_id } = row
    const { stream, bytes } = await context.identity.media
      .open({ verificationId: verification_id, sealedKey: row.data_key, artifact })
      .catch((cause: unknown) => {
        if (cause instanceof BlobError && cause.code === 'not_found')
          throw new ApiError('not_found', 'The media is no longer kept', { cause })
        throw cause
      })
    try {
      const type = await typeOf(stream)
      const person = personOf(principal, query)
      const look = { type: 'look', artifact: artifact.name } as const
      await context.identity.reviews.record(verification_id, person, look, context.makeId('entry'))
      context.events.record('media_looked_at', { verification_id, key_id: principal.keyId })
      reply
        .header('content-type', type)
        .header('content-length', String(bytes))
        .header('cache-control', 'no-store')
    } catch (error) {
      stream.destroy()
      throw error
    }
    return { status: 200, body: stream }
  }
}

/** Returns the type by the first bytes, which are read again later. */
async function typeOf(stream: Readable): Promise<string> {
  await once(stream, 'readable')
  const first: Buffer | null = stream.read()
  if (first !== null) stream.unshift(first)
  return (first && sniffMedia(first)) ?? 'application/octet-stream'
}
