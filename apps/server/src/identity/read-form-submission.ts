import type { Multipart } from '@fastify/multipart'
import { SUBMIT_V1_PARTS } from '@vaani/contracts'
import { ApiError } from '../http/api-error.ts'
import { toValidationError } from '../http/validation-error.ts'
import type { Vault } from '../secrets/vault.ts'
import type { MediaFolder } from './media-folder.ts'
import { type ArtifactName, ARTIFACTS, type ReceivedArtifact, receiveArtifact } from './receive-artifact.ts'
import type { Submission } from './submission.ts'

/**
 * Reads a submission of version 1 part by part, each file into a file.
 *
 * @throws ApiError naming the part at fault
 */
export async function readFormSubmission(options: {
  parts: AsyncIterable<Multipart>
  folder: MediaFolder
  accountId: string
  vault: Vault
  onReceived: (artifact: ReceivedArtifact) => void
}): Promise<Submission> {
  const { parts, folder, accountId, vault, onReceived } = options
  const received = new Map<ArtifactName, ReceivedArtifact>()
  const texts = new Map<string, string>()
  for await (const part of parts) {
    // Of a part that names none it is undefined, whatever its type says.
    const param: string = part.fieldname ?? ''
    const definition = Object.entries(SUBMIT_V1_PARTS).find(([name]) => name === param)?.[1]
    if (definition === undefined)
      throw new ApiError('invalid_request', 'The form has a part that is not known', {
        param: param.slice(0, 100),
      })
    if (definition.kind === 'text') {
      if (part.type === 'file') throw new ApiError('invalid_request', `${param}: must be text`, { param })
      const parsed = definition.schema.safeParse(part.value)
      if (!parsed.success) {
        const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [param] }))
        throw toValidationError({ path: [], headers: [], query: [], body: issues })
      }
      texts.set(param, String(parsed.data))
      continue
    }
    const name = ARTIFACTS.find((one) => one === param)
    if (part.type !== 'file' || name === undefined)
      throw new ApiError('missing_artifact', `${param}: must be a file`, { param })
    if (received.has(name)) throw new ApiError('invalid_request', `${param}: is there twice`, { param })
    const sink = receiveArtifact({ name, param, file: folder.file(name), accountId, vault })
    try {
      for await (const chunk of part.file) await sink.write(chunk as Buffer)
      const artifact = await sink.end()
      received.set(name, artifact)
      onReceived(artifact)
    } finally {
      sink.destroy()
    }
  }
  for (const [param, { kind, required }] of Object.entries(SUBMIT_V1_PARTS))
    if (kind === 'file' && required && !received.has(param as ArtifactName))
      throw new ApiError('missing_artifact', `${param}: is missing`, { param })
  return {
    version: 1,
    artifacts: received,
    externalId: texts.get('external_id') ?? null,
    callbackUrl: texts.get('callback_url') ?? null,
    storeMedia: true,
  }
}
