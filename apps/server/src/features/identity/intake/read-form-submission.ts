import { ARTIFACT_NAMES, type ArtifactName, readInput, SUBMIT_V1_PARTS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { isLeftEmpty, readForm } from '@vaani/service-kit/http/body/form'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'
import type { FastifyRequest } from 'fastify'
import type { ArtifactSink, ReceivedArtifact } from './receive-artifact.ts'
import type { Intake, Submission } from './submission.ts'

/**
 * Reads a version 1 submission part by part, writing each uploaded file to disk.
 *
 * @throws ApiError naming the part at fault
 */
export async function readFormSubmission(request: FastifyRequest, intake: Intake): Promise<Submission> {
  const files = new Map<ArtifactName, ReceivedArtifact>()
  const texts = new Map<string, string>()
  for await (const part of readForm(request, request.parts())) {
    // A part may have no name, whatever the library's types say.
    const param = String(part.fieldname ?? '')
    const definition = Object.entries(SUBMIT_V1_PARTS).find(([name]) => name === param)?.[1]
    if (definition === undefined)
      throw new ApiError('invalid_request', 'The form has an unknown part', {
        param: param.slice(0, 100),
      })
    if (definition.kind === 'text') {
      if (part.type === 'file') throw new ApiError('invalid_request', `${param}: must be text`, { param })
      if (isLeftEmpty(part.value, definition)) continue
      const parsed = readInput(definition.schema, part.value)
      if (!parsed.success) {
        const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [param] }))
        throw toValidationError({ path: [], headers: [], query: [], body: issues })
      }
      texts.set(param, String(parsed.data))
      continue
    }
    const name = ARTIFACT_NAMES.find((one) => one === param)
    if (part.type !== 'file' || name === undefined)
      throw new ApiError('missing_artifact', `${param}: must be a file`, { param })
    if (files.has(name)) throw new ApiError('invalid_request', `${param}: is sent twice`, { param })
    const artifact = await readFile(readForm(request, part.file), intake.open(name, param))
    files.set(name, artifact)
    intake.onReceived(artifact)
  }
  for (const [param, { kind, required }] of Object.entries(SUBMIT_V1_PARTS))
    if (kind === 'file' && required && !files.has(param as ArtifactName))
      throw new ApiError('missing_artifact', `${param}: is missing`, { param })
  return {
    fields: {
      version: 1,
      externalId: texts.get('external_id') ?? null,
      callbackUrl: texts.get('callback_url') ?? null,
      storeMedia: true,
    },
    files,
  }
}

async function readFile(chunks: AsyncIterable<Buffer>, opened: ArtifactSink): Promise<ReceivedArtifact> {
  await using sink = opened
  for await (const chunk of chunks) await sink.write(chunk)
  // Awaited here, because the sink is disposed on return.
  return await sink.end()
}
