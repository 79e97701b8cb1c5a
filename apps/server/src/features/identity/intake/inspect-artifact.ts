import { LIMITS } from '@vaani/contracts'
import {
  CheckRunError,
  type CheckRunner,
  checkVideoIntegrity,
  type CheckResult,
  MediaError,
  requireDuration,
} from '@vaani/identity-checks'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { ReceivedArtifact } from './receive-artifact.ts'

/** An artifact that passed inspection, in the form to store. */
export interface InspectedArtifact {
  name: ReceivedArtifact['name']
  file: string
  bytes: number
  /** Set for the video. */
  integrity?: CheckResult
  /** Set for the sides of the document. */
  recapture?: CheckResult
}

const BUSY_RETRY_SECONDS = 5

/**
 * Runs the checks whose failure rejects the submission: type, size, duration, and recapture from a screen. Waits for its turn
 * instead of skipping checks, because the response must not depend on how busy the server is.
 *
 * @param owner account whose share of the runner the checks use
 * @throws ApiError `media_unreadable`, or `service_unavailable` if its turn does not come
 */
export async function inspectArtifact(
  runner: CheckRunner,
  { name, file, bytes }: ReceivedArtifact,
  owner: string,
): Promise<InspectedArtifact> {
  try {
    if (name === 'liveness_video') {
      const video = await runner.probe(file, { owner })
      requireDuration(video, {
        minSeconds: LIMITS.liveVideoSecondsMin,
        maxSeconds: LIMITS.liveVideoSecondsMax,
      })
      return { name, file, bytes, integrity: checkVideoIntegrity(video) }
    }
    const cleaned = `${file}.jpeg`
    const written = await runner.openImage({ owner, file, into: cleaned })
    const inspected = { name, file: cleaned, bytes: written.bytes }
    if (name === 'reference_portrait') return inspected
    return { ...inspected, recapture: await runner.checkRecapture({ owner, image: cleaned }) }
  } catch (error) {
    if (error instanceof MediaError)
      throw new ApiError('media_unreadable', `${name}: ${error.message}`, { param: name, cause: error })
    if (error instanceof CheckRunError)
      throw new ApiError('service_unavailable', 'Too many uploads are being processed', {
        retryAfterSeconds: BUSY_RETRY_SECONDS,
        cause: error,
      })
    throw error
  }
}
