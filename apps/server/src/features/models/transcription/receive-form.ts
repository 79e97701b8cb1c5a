import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ChatFile } from '@vaani/chat'
import { LIMITS, type PartDefinition, sizeText } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { readForm, requireForm } from '@vaani/service-kit/http/body/form'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { FastifyRequest } from 'fastify'
import type { FormContext } from '../context.ts'
import { type Fields, FormFields } from './form-fields.ts'

const FILE = 'file'
const MAX_FIELDS = 100

/** One more file than is allowed, so that the refusal can name the part. The size is limited while it arrives. */
export const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: MAX_FIELDS,
  fieldSize: LIMITS.jsonBodyBytes + 1,
  files: 2,
  parts: MAX_FIELDS + 2,
  fileSize: Number.POSITIVE_INFINITY,
}

/** A form whose file is written to a temporary one, which disposing it removes. */
export interface ReceivedForm extends AsyncDisposable {
  readonly fields: Fields
  readonly file: ChatFile
  /** Keyed digest of the file, as it was sent. */
  readonly fingerprint: Buffer
}

/** Receives a form, writing its file to a temporary one as it arrives. @throws ApiError naming the part at fault */
export async function receiveForm(
  { unsealed, vault }: FormContext,
  request: FastifyRequest,
  options: {
    parts: Readonly<Record<string, PartDefinition>>
    maxBytes: number
    /** Changes what is written. */
    transform?: (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
  },
): Promise<ReceivedForm> {
  requireForm(request)
  const { parts, maxBytes, transform = (source) => source } = options
  const written = path.join(unsealed.path, randomUUID())
  await using held = new AsyncDisposableStack()
  held.defer(() => rm(written, { force: true }))
  const fingerprint = vault.startFingerprint(principalOf(request).accountId)
  const fields = new FormFields(parts)
  let file: ChatFile | undefined
  for await (const part of readForm(request, request.parts())) {
    // A part may have no name, whatever the library's types say.
    const param = String(part.fieldname ?? '')
    if (part.type === 'field') {
      if (param === FILE) throw new ApiError('invalid_request', `${FILE}: must be a file`, { param })
      fields.add(param, part.value)
      continue
    }
    if (param !== FILE) throw new ApiError('invalid_request', 'The form has an unknown file', { param })
    if (file !== undefined) throw new ApiError('invalid_request', `${FILE}: is sent twice`, { param })
    const counted = limitBytes(readForm(request, part.file), {
      maxBytes,
      onChunk: (chunk) => fingerprint.update(chunk),
    })
    await pipeline(transform(counted), createWriteStream(written, { flags: 'wx', mode: 0o600 }))
    file = { name: nameOf(part.filename), content: await openAsBlob(written, { type: part.mimetype }) }
  }
  if (file === undefined) throw new ApiError('invalid_request', `${FILE}: is missing`, { param: FILE })
  if (file.content.size === 0) throw new ApiError('invalid_request', `${FILE}: is empty`, { param: FILE })
  const complete = fields.complete()
  const kept = held.move()
  return {
    fields: complete,
    file,
    fingerprint: fingerprint.digest(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Passes at most the bytes of a file, and shows each chunk to a reader. */
async function* limitBytes(
  chunks: AsyncIterable<Buffer>,
  { maxBytes, onChunk }: { maxBytes: number; onChunk: (chunk: Buffer) => void },
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new ApiError('payload_too_large', `${FILE}: is over ${sizeText(maxBytes)}`, { param: FILE })
    onChunk(chunk)
    yield chunk
  }
}

/** Keeps of a name only what servers learn the format from, because the rest may be personal. */
const nameOf = (filename = ''): string => `upload${/\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? ''}`
