import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { LIMITS, sizeText } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { readForm, requireForm } from '@vaani/service-kit/http/body/form'
import type { FastifyRequest } from 'fastify'
import type { WatermarkContext } from './context.ts'

/** A recording in a temporary file, which disposing it removes. */
export interface ReceivedRecording extends AsyncDisposable {
  file: string
  /** Keyed digest of the bytes. */
  fingerprint: Buffer
}

const PARAM = 'audio'

/** Writes the recording of a form to a file as it arrives. @throws ApiError naming the part at fault */
export async function receiveRecording(
  { unsealed, vault }: WatermarkContext,
  request: FastifyRequest,
): Promise<ReceivedRecording> {
  requireForm(request)
  const file = path.join(unsealed.path, randomUUID())
  await using held = new AsyncDisposableStack()
  held.defer(() => rm(file, { force: true }))
  const fingerprint = vault.startFingerprint(principalOf(request).accountId)
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > LIMITS.watermarkAudioBytes)
        throw new ApiError('payload_too_large', `${PARAM}: is over ${sizeText(LIMITS.watermarkAudioBytes)}`, {
          param: PARAM,
        })
      fingerprint.update(chunk)
      yield chunk
    }
  }
  let isReceived = false
  for await (const part of readForm(request, request.parts())) {
    const name = String(part.fieldname ?? '').slice(0, 100)
    if (name !== PARAM) throw new ApiError('invalid_request', 'The form has an unknown part', { param: name })
    if (part.type !== 'file')
      throw new ApiError('invalid_request', `${PARAM}: must be a file`, { param: PARAM })
    if (isReceived) throw new ApiError('invalid_request', `${PARAM}: is sent twice`, { param: PARAM })
    isReceived = true
    await pipeline(
      readForm(request, part.file),
      counted,
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    )
  }
  if (!isReceived) throw new ApiError('invalid_request', `${PARAM}: is missing`, { param: PARAM })
  if (bytes === 0) throw new ApiError('media_unreadable', `${PARAM}: is empty`, { param: PARAM })
  const kept = held.move()
  return { file, fingerprint: fingerprint.digest(), [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
