import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CLONE_PARTS, LIMITS, readInput, sizeText } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { isLeftEmpty, readForm } from '@vaani/service-kit/http/body/form'
import type { StreamedContent } from '@vaani/service-kit/http/body/streamed-route'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'
import type { FastifyRequest } from 'fastify'
import type { VoicesContext } from '../context.ts'

/** A recording in a private file, not encrypted. */
export interface ReceivedRecording {
  file: string
  bytes: number
  /** Keyed digest of the bytes. */
  fingerprint: Buffer
}

/** A received form. The folder of its recordings is removed when it is disposed. */
export interface ReceivedVoice extends StreamedContent, AsyncDisposable {
  readonly fields: { name: string; language: string | null; consent: true }
  readonly recordings: readonly ReceivedRecording[]
}

/** Receives the form of a clone, writing each recording to a private file as it arrives. @throws ApiError naming the part */
export async function receiveVoice(context: VoicesContext, request: FastifyRequest): Promise<ReceivedVoice> {
  const folder = path.join(context.unsealed.path, randomUUID())
  await using held = new AsyncDisposableStack()
  await mkdir(folder, { mode: 0o700 })
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const recordings: ReceivedRecording[] = []
  const texts = new Map<string, string>()
  for await (const part of readForm(request, request.parts())) {
    // A part may have no name, whatever the library's types say.
    const param = String(part.fieldname ?? '')
    if (part.type === 'file' && param === 'samples') {
      if (recordings.length === LIMITS.cloneSamplesMax)
        throw new ApiError('invalid_request', `samples: must be at most ${LIMITS.cloneSamplesMax}`, {
          param: 'samples',
        })
      recordings.push(
        await receiveRecording(readForm(request, part.file), {
          param: `samples.${recordings.length}`,
          file: path.join(folder, String(recordings.length)),
          fingerprint: context.vault.startFingerprint(principalOf(request).accountId),
        }),
      )
      continue
    }
    const definition = param === 'samples' ? undefined : textParts.get(param)
    if (definition === undefined || part.type === 'file') throw misplaced(param)
    if (isLeftEmpty(part.value, definition)) continue
    if (texts.has(param)) throw new ApiError('invalid_request', `${param}: is sent twice`, { param })
    const parsed = readInput(definition.schema, part.value)
    if (!parsed.success) throw invalid(param, parsed.error.issues)
    texts.set(param, String(parsed.data))
  }
  for (const [param, { required }] of textParts)
    if (required && !texts.has(param))
      throw new ApiError('invalid_request', `${param}: is missing`, { param })
  if (recordings.length === 0)
    throw new ApiError('invalid_request', 'samples: is missing', { param: 'samples' })
  const kept = held.move()
  return {
    fields: { name: texts.get('name') ?? '', language: texts.get('language') ?? null, consent: true },
    files: new Map(recordings.map((recording, index) => [String(index), recording])),
    recordings,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const { samples: _, ...texts } = CLONE_PARTS
const textParts = new Map<string, (typeof texts)[keyof typeof texts]>(Object.entries(texts))

function misplaced(param: string): ApiError {
  const isKnown = Object.hasOwn(CLONE_PARTS, param)
  const shape = param === 'samples' ? 'a file' : 'text'
  return new ApiError(
    'invalid_request',
    isKnown ? `${param}: must be ${shape}` : 'The form has an unknown part',
    {
      param: param.slice(0, 100),
    },
  )
}

function invalid(param: string, issues: readonly { path: PropertyKey[]; message: string }[]): ApiError {
  const body = issues.map((issue) => ({ ...issue, path: [param] }))
  return toValidationError({ path: [], headers: [], query: [], body })
}

async function receiveRecording(
  chunks: AsyncIterable<Buffer>,
  options: {
    param: string
    file: string
    fingerprint: ReturnType<VoicesContext['vault']['startFingerprint']>
  },
): Promise<ReceivedRecording> {
  const { param, file, fingerprint } = options
  let bytes = 0
  await pipeline(
    async function* () {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > LIMITS.cloneSampleBytes)
          throw new ApiError('payload_too_large', `${param}: is over ${sizeText(LIMITS.cloneSampleBytes)}`, {
            param,
          })
        fingerprint.update(chunk)
        yield chunk
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  )
  return { file, bytes, fingerprint: fingerprint.digest() }
}
