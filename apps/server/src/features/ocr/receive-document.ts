import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import {
  LIMITS,
  type OcrOptions,
  ocrOptionsSchema,
  ocrRequestSchema,
  readInput,
  sizeText,
} from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { Base64Error, createBase64Decoder } from '@vaani/service-kit/http/body/base64-decoder'
import { isLeftEmpty, readForm, requireForm } from '@vaani/service-kit/http/body/form'
import { JsonStringsError, readJsonWithLongStrings } from '@vaani/service-kit/http/body/json-strings'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'
import type { FastifyRequest } from 'fastify'
import type { OcrContext } from './context.ts'

/** A document in a temporary file, which disposing it removes. */
export interface ReceivedDocument extends AsyncDisposable {
  file: string
  bytes: number
  /** Keyed digest of the bytes. */
  fingerprint: Buffer
  options: OcrOptions
}

/** The file, by its name in a form. */
const PART = 'image'
/** The file in JSON. */
const FIELD = 'image_b64'

interface Sink {
  write(chunk: Uint8Array): Promise<void>
  bytes: number
}

/** Writes the document of a JSON body or a form to a file as it arrives. @throws ApiError naming the part at fault */
export async function receiveDocument(
  { unsealed, vault }: Pick<OcrContext, 'unsealed' | 'vault'>,
  request: FastifyRequest,
): Promise<ReceivedDocument> {
  const file = path.join(unsealed.path, randomUUID())
  await using held = new AsyncDisposableStack()
  held.defer(() => rm(file, { force: true }))
  const fingerprint = vault.startFingerprint(principalOf(request).accountId)
  const handle = await open(file, 'wx', 0o600)
  const sink: Sink = {
    bytes: 0,
    async write(chunk) {
      sink.bytes += chunk.length
      if (sink.bytes > LIMITS.imageBytes)
        throw new ApiError('payload_too_large', `${PART}: is over ${sizeText(LIMITS.imageBytes)}`, {
          param: PART,
        })
      fingerprint.update(chunk)
      await handle.write(chunk)
    },
  }
  const { body } = request
  let options: OcrOptions
  try {
    options = body instanceof Readable ? await receiveJson(body, sink) : await receiveForm(request, sink)
  } finally {
    await handle.close()
  }
  if (sink.bytes === 0) throw new ApiError('media_unreadable', `${PART}: is empty`, { param: PART })
  const kept = held.move()
  return {
    file,
    bytes: sink.bytes,
    options,
    fingerprint: fingerprint.digest(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function receiveForm(request: FastifyRequest, sink: Sink): Promise<OcrOptions> {
  requireForm(request)
  let isReceived = false
  const values: Record<string, string> = {}
  for await (const part of readForm(request, request.parts())) {
    // A part may have no name, whatever the library's types say.
    const param = String(part.fieldname ?? '').slice(0, 100)
    if (param === PART) {
      if (part.type !== 'file') throw new ApiError('missing_artifact', `${param}: must be a file`, { param })
      if (isReceived) throw new ApiError('invalid_request', `${param}: is sent twice`, { param })
      isReceived = true
      for await (const chunk of readForm(request, part.file)) await sink.write(chunk)
    } else if (Object.hasOwn(ocrOptionsSchema.shape, param)) {
      if (part.type === 'file') throw new ApiError('invalid_request', `${param}: must be text`, { param })
      if (isLeftEmpty(part.value, { required: false })) continue
      if (Object.hasOwn(values, param))
        throw new ApiError('invalid_request', `${param}: is sent twice`, { param })
      values[param] = String(part.value)
    } else throw new ApiError('invalid_request', 'The form has an unknown part', { param })
  }
  if (!isReceived) throw new ApiError('missing_artifact', `${PART}: is missing`, { param: PART })
  const parsed = readInput(ocrOptionsSchema, values)
  if (!parsed.success) throw refusalOf(parsed.error.issues)
  return parsed.data
}

type Issues = Parameters<typeof toValidationError>[0]['body']
const refusalOf = (body: Issues): ApiError => toValidationError({ path: [], headers: [], query: [], body })

/** Characters decoded at a time, so that other requests get their turn in between. */
const SLICE = 262_144

async function receiveJson(body: Readable, sink: Sink): Promise<OcrOptions> {
  const decoder = createBase64Decoder()
  let isReceived = false
  try {
    const rest = await readJsonWithLongStrings({
      // Stopping early must not destroy the request, because the connection still reads the rest.
      source: body.iterator({ destroyOnReturn: false }),
      maxRestBytes: LIMITS.jsonBodyBytes,
      strings: {
        has: (name) => name === FIELD,
        begin() {
          if (isReceived) throw new ApiError('invalid_request', `${FIELD}: is sent twice`, { param: FIELD })
          isReceived = true
        },
        async write(part) {
          for (let at = 0; at < part.length; at += SLICE)
            await sink.write(decoder.push(part.subarray(at, at + SLICE)))
        },
        async end() {
          decoder.end()
        },
      },
    })
    const parsed = readInput(ocrRequestSchema, rest)
    if (!parsed.success) throw refusalOf(parsed.error.issues)
    if (sink.bytes === 0) throw new ApiError('missing_artifact', `${FIELD}: is empty`, { param: FIELD })
    const { image_b64: _, ...options } = parsed.data
    return options
  } catch (error) {
    if (error instanceof Base64Error)
      throw new ApiError(
        'invalid_request',
        error.code === 'data_url'
          ? `${FIELD}: is a data URL; send only the part after its comma`
          : `${FIELD}: is not base64 (RFC 4648, section 4, with padding and without white space)`,
        { param: FIELD, cause: error },
      )
    if (!(error instanceof JsonStringsError)) throw error
    throw error.code === 'too_large'
      ? new ApiError('payload_too_large', 'The body without its document is over the size limit', {
          cause: error,
        })
      : new ApiError('invalid_request', 'The body is not JSON', { cause: error })
  }
}
