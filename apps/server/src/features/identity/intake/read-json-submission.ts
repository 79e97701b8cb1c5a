import { ARTIFACT_NAMES, type ArtifactName, LIMITS, readInput, submitV2Schema } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import {
  Base64Error,
  type Base64Decoder,
  createBase64Decoder,
} from '@vaani/service-kit/http/body/base64-decoder'
import {
  JsonStringsError,
  type LongStrings,
  readJsonWithLongStrings,
} from '@vaani/service-kit/http/body/json-strings'
import { toValidationError } from '@vaani/service-kit/http/errors/validation-error'
import { z } from 'zod'
import type { ArtifactSink, ReceivedArtifact } from './receive-artifact.ts'
import type { Intake, Submission } from './submission.ts'

const callbackSchema = z.object({ callback_url: submitV2Schema.shape.callback_url })

const SUFFIX = '_b64'
const artifactOf = (field: string): ArtifactName | undefined =>
  ARTIFACT_NAMES.find((name) => field === name + SUFFIX)

/** Characters decoded at a time, so that other requests get their turn in between. */
const SLICE = 262_144

/**
 * Reads a version 2 submission as it arrives. Decodes media into files while the rest of the body is still arriving.
 *
 * @param requireCallback called for the callback URL of a submission that is refused for something else, so that a caller can find
 *   out without any media whether the URL would be accepted
 * @throws ApiError naming the field at fault
 */
export async function readJsonSubmission(
  source: AsyncIterable<Buffer>,
  intake: Intake,
  requireCallback: (callbackUrl: string) => Promise<void>,
): Promise<Submission> {
  const files = new Map<ArtifactName, ReceivedArtifact>()
  let current: { field: string; name: ArtifactName; sink: ArtifactSink; decoder: Base64Decoder } | undefined

  const strings: LongStrings = {
    has: (field) => artifactOf(field) !== undefined,
    begin(field) {
      const name = artifactOf(field)
      if (name === undefined) throw new Error('Only artifacts are handed on')
      if (files.has(name)) throw new ApiError('invalid_request', `${field}: is sent twice`, { param: field })
      current = { field, name, sink: intake.open(name, field), decoder: createBase64Decoder() }
    },
    async write(part) {
      for (let at = 0; at < part.length; at += SLICE) {
        const decoded = decode(() => current?.decoder.push(part.subarray(at, at + SLICE)))
        if (decoded && decoded.length > 0) await current?.sink.write(decoded)
      }
    },
    async end() {
      if (current === undefined) return
      const { name, sink, decoder } = current
      decode(() => decoder.end())
      const artifact = await sink.end()
      files.set(name, artifact)
      intake.onReceived(artifact)
      current = undefined
    },
  }

  function decode<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      const field = current?.field ?? ''
      if (!(error instanceof Base64Error)) throw error
      const message =
        error.code === 'data_url'
          ? 'is a data URL; send only the part after its comma'
          : 'is not base64 (RFC 4648, section 4, with padding and without white space)'
      throw new ApiError('invalid_request', `${field}: ${message}`, { param: field, cause: error })
    }
  }

  try {
    const body = await readJsonWithLongStrings({ source, strings, maxRestBytes: LIMITS.jsonBodyBytes })
    const parsed = readInput(submitV2Schema, body)
    if (!parsed.success) {
      const callbackUrl = readInput(callbackSchema, body)
      if (callbackUrl.success && callbackUrl.data.callback_url)
        await requireCallback(callbackUrl.data.callback_url)
      throw toValidationError({ path: [], headers: [], query: [], body: parsed.error.issues })
    }
    const { external_id, callback_url, options: chosen } = parsed.data
    return {
      fields: {
        version: 2,
        externalId: external_id ?? null,
        callbackUrl: callback_url ?? null,
        storeMedia: chosen?.store_media ?? true,
      },
      files,
    }
  } catch (error) {
    if (!(error instanceof JsonStringsError)) throw error
    throw error.code === 'too_large'
      ? new ApiError('payload_too_large', 'The body without its media is over the size limit', {
          cause: error,
        })
      : new ApiError('invalid_request', 'The body is not JSON', { cause: error })
  } finally {
    await current?.sink[Symbol.asyncDispose]()
  }
}
