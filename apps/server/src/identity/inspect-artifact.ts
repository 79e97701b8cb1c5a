import { readFile, writeFile } from 'node:fs/promises'
import { LIMITS } from '@vaani/contracts'
import {
  checkVideoIntegrity,
  type CheckResult,
  MediaError,
  openImage,
  requireDuration,
} from '@vaani/identity-checks'
import { ApiError } from '../http/api-error.ts'
import type { ReceivedArtifact } from './receive-artifact.ts'
import type { Identity } from './start-identity.ts'

/** An artifact that passed its inspection, in the form to be stored. */
export interface InspectedArtifact {
  name: ReceivedArtifact['name']
  file: string
  bytes: number
  /** Of the video. */
  integrity?: CheckResult
  /** Of the front; missing if no thread was free. */
  recapture?: CheckResult
}

/**
 * Runs the checks that give their answer at once: type, size, length, and whether a screen was photographed.
 *
 * @throws ApiError `media_unreadable`
 */
export async function inspectArtifact(
  { probe, runner }: Pick<Identity, 'probe' | 'runner'>,
  { name, file, bytes }: ReceivedArtifact,
): Promise<InspectedArtifact> {
  try {
    if (name === 'liveness_video') {
      const video = await probe.probe(file)
      requireDuration(video, {
        minSeconds: LIMITS.liveVideoSecondsMin,
        maxSeconds: LIMITS.liveVideoSecondsMax,
      })
      return { name, file, bytes, integrity: checkVideoIntegrity(video) }
    }
    const { jpeg } = await openImage(await readFile(file))
    const recapture = name === 'front_image' ? await runner.checkRecaptureNow(file) : null
    // Not held in memory, because the rest of the upload may take minutes.
    const cleaned = `${file}.jpeg`
    await writeFile(cleaned, jpeg, { flag: 'wx', mode: 0o600 })
    return { name, file: cleaned, bytes: jpeg.length, ...(recapture && { recapture }) }
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    throw new ApiError('media_unreadable', `${name}: ${error.message}`, { param: name, cause: error })
  }
}
