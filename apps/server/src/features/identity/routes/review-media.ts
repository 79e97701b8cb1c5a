import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { ArtifactName, Contract } from '@vaani/contracts'
import { MediaError, sniffMedia } from '@vaani/identity-checks'
import { BlobError } from '@vaani/service-kit/blobs/blob-store'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { FastifyReply } from 'fastify'
import type { IdentityContext } from '../context.ts'
import { makeMediaFolder } from '../intake/media-folder.ts'
import { requireVerification } from '../require-verification.ts'
import { type Person, personOf } from '../review/person.ts'
import type { VerificationRow } from '../tables.ts'

/** @throws ApiError `not_found` */
function requireArtifact({ artifacts, data_key, verification_id }: VerificationRow, name: ArtifactName) {
  const artifact = artifacts.find((one) => one.name === name)
  if (artifact === undefined || data_key === null)
    throw new ApiError('not_found', 'The verification has no such media, or no longer')
  return { verificationId: verification_id, sealedKey: data_key, artifact }
}

function refuseLost(cause: unknown): never {
  if (cause instanceof BlobError && cause.code === 'not_found')
    throw new ApiError('not_found', 'The media is no longer kept', { cause })
  throw cause
}

/** Records the look before anything is sent. */
async function recordLook(
  { identity, events, makeId }: IdentityContext,
  look: { verificationId: string; person: Person; artifact: ArtifactName; reply: FastifyReply },
): Promise<void> {
  const { verificationId, person, artifact, reply } = look
  await identity.reviews.record(verificationId, person, { type: 'look', artifact }, makeId('entry'))
  events.record('media_looked_at', { verification_id: verificationId, key_id: person.keyId })
  reply.header('cache-control', 'no-store')
}

/** GET /identity/verifications/{verification_id}/review/media */
export function lookAtMedia(context: IdentityContext): Handler<Contract['reviews']['media']> {
  return async ({ params, query, request, reply }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    const found = requireArtifact(row, query.artifact)
    const { stream, bytes } = await context.identity.media.open(found).catch(refuseLost)
    try {
      const type = await typeOf(stream)
      const person = personOf(principal, query)
      await recordLook(context, { ...found, person, artifact: query.artifact, reply })
      reply.header('content-type', type).header('content-length', String(bytes))
    } catch (error) {
      stream.destroy()
      throw error
    }
    return { status: 200, body: stream }
  }
}

/** GET /identity/verifications/{verification_id}/review/frames */
export function lookAtFrames(context: IdentityContext): Handler<Contract['reviews']['frames']> {
  return async ({ params, query, request, reply }) => {
    const principal = principalOf(request)
    const { identity } = context
    const row = await requireVerification(context, principal, params.verification_id)
    const { artifact, ...found } = requireArtifact(row, 'liveness_video')
    await using folder = await makeMediaFolder(identity.intakeDirectory)
    await identity.media.unpack({ ...found, artifacts: [artifact], folder }).catch(refuseLost)
    const frames = await identity.runner
      .takeFrames({ owner: principal.accountId, video: folder.file(artifact.name) })
      .catch((cause: unknown) => {
        if (cause instanceof MediaError)
          throw new ApiError('not_found', 'The video has no frames that can be read', { cause })
        throw cause
      })
    if (frames === null) throw new ApiError('not_found', 'The server has no program to extract frames')
    const person = personOf(principal, query)
    await recordLook(context, { ...found, person, artifact: artifact.name, reply })
    return {
      status: 200,
      body: {
        frames: frames.map(({ timeMs, picture: { base64, width, height } }) => ({
          time_ms: timeMs,
          width,
          height,
          image_b64: base64,
        })),
      },
    }
  }
}

/** Returns the type by the first bytes, which are read again later. */
async function typeOf(stream: Readable): Promise<string> {
  await once(stream, 'readable')
  const first: Buffer | null = stream.read()
  if (first !== null) stream.unshift(first)
  return (first && sniffMedia(first)) ?? 'application/octet-stream'
}
