import { createHash } from 'node:crypto'
import { LIMITS, readInput, sizeText } from '@vaani/contracts'
import { SUBMISSION_PARTS } from '@vaani/contracts/migration'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { isLeftEmpty, readForm } from '@vaani/service-kit/http/body/form'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'
import type { FastifyRequest } from 'fastify'
import type { FormWriter } from '../../../convert/write-form.ts'
import {
  type FileDigest,
  startFileDigest,
  SUBJECT_FILES,
  type SubjectFile,
  subjectOfMedia,
} from '../../../rules/sampling/subject.ts'

type Part = ReturnType<FastifyRequest['parts']> extends AsyncIterable<infer Item> ? Item : never

/** What a submission holds besides its media, complete when its form has been read. */
export interface ReceivedForm {
  readonly texts: ReadonlyMap<string, string>
  readonly fingerprints: ReadonlyMap<string, { fingerprint: Buffer }>
  /** Whom it is about, as the gateway names it. */
  subject(): string
  /** The form of version 1 as it arrives: that of the request without what is only for us. @throws ApiError naming the part */
  body(): AsyncGenerator<Buffer>
}

/** Reads a submission of `migration.submit`, and writes the form of version 1 that is in it. */
export function receiveForm(request: FastifyRequest, writer: FormWriter): ReceivedForm {
  const texts = new Map<string, string>()
  const fingerprints = new Map<string, { fingerprint: Buffer }>()
  const digests: Partial<Record<SubjectFile, FileDigest>> = {}

  function readText(part: Part, definition: Extract<Definition, { kind: 'text' }>): string {
    const { fieldname: param } = part
    if (part.type === 'file') throw new ApiError('invalid_request', `${param}: must be text`, { param })
    const parsed = readInput(definition.schema, part.value)
    if (parsed.success) return String(parsed.data)
    const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [param] }))
    throw toValidationError({ path: [], headers: [], query: [], body: issues })
  }

  async function* copyFile(part: Extract<Part, { type: 'file' }>, maxBytes: number): AsyncGenerator<Buffer> {
    const { fieldname: param } = part
    if (fingerprints.has(param)) throw new ApiError('invalid_request', `${param}: is sent twice`, { param })
    const hash = createHash('sha256')
    const known = SUBJECT_FILES.find((name) => name === param)
    const digest = startFileDigest()
    if (known !== undefined) digests[known] = digest
    let bytes = 0
    yield Buffer.from(writer.fileStart(param, part.mimetype))
    for await (const chunk of readForm<Buffer>(request, part.file)) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new ApiError('payload_too_large', `${param}: is over ${sizeText(maxBytes)}`, { param })
      hash.update(chunk)
      digest.update(chunk)
      yield chunk
    }
    if (bytes === 0) throw new ApiError('missing_artifact', `${param}: is empty`, { param })
    fingerprints.set(param, { fingerprint: hash.digest() })
    yield Buffer.from(writer.fileEnd)
  }

  async function* body(): AsyncGenerator<Buffer> {
    for await (const part of readForm(request, request.parts())) {
      // A part may have no name, whatever the library's types say.
      const param = String(part.fieldname ?? '')
      const definition = definitionOf(param)
      if (definition === undefined)
        throw new ApiError('invalid_request', 'The form has an unknown part', { param: param.slice(0, 100) })
      if (definition.kind === 'text') {
        if (part.type === 'field' && isLeftEmpty(part.value, definition)) continue
        const text = readText(part, definition)
        texts.set(param, text)
        if (!FOR_US.has(param)) yield Buffer.from(writer.text(param, text))
      } else if (part.type === 'file') yield* copyFile(part, definition.maxBytes ?? LIMITS.videoBytes)
      else throw new ApiError('missing_artifact', `${param}: must be a file`, { param })
    }
    for (const [param, { kind, required }] of Object.entries(SUBMISSION_PARTS))
      if (kind === 'file' && required && !fingerprints.has(param))
        throw new ApiError('missing_artifact', `${param}: is missing`, { param })
    if (texts.has('answered_by') && !texts.has('verification_id'))
      throw new ApiError('invalid_request', 'verification_id: is required with answered_by', {
        param: 'verification_id',
      })
    yield Buffer.from(writer.end)
  }

  return {
    texts,
    fingerprints,
    body,
    subject: () =>
      texts.get('external_id') ??
      subjectOfMedia(Object.fromEntries(Object.entries(digests).map(([name, one]) => [name, one.digest()]))),
  }
}

/** Parts that are not of version 1. */
const FOR_US: ReadonlySet<string> = new Set(['answered_by', 'verification_id'])

type Definition = (typeof SUBMISSION_PARTS)[keyof typeof SUBMISSION_PARTS]

const definitionOf = (param: string): Definition | undefined =>
  Object.entries(SUBMISSION_PARTS).find(([name]) => name === param)?.[1]
