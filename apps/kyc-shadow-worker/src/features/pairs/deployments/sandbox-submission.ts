import { setTimeout as delay } from 'node:timers/promises'
import { contract } from '@vaani/contracts'
import { drawPicture } from '../../../sandbox/draw-picture.ts'
import { SANDBOX_VIDEO } from '../../../sandbox/video.ts'
import type { DeploymentClient } from './deployment-client.ts'
import { type Refusal, readRefusal } from './read-refusal.ts'

/** Approved at once in the sandbox, because callbacks are sent for final decisions only. */
const OUTCOME = 'test_approved'
const SUBMIT_TIMEOUT_MS = 30_000
/** While it is pending, it cannot be erased. */
const ERASE_ATTEMPTS = 20
const ERASE_PAUSE_MS = 500

/** Drawings that were submitted to the sandbox of a deployment. */
export interface SandboxSubmission {
  readonly externalId: string
  /** Why it was not accepted; null if it was. */
  readonly refusal: Refusal | null
  /** Erases the person, and returns whether nothing but the record of the decision is left. */
  erase(): Promise<boolean>
}

/** @param options.apiKey of test mode */
export async function startSandboxSubmission(options: {
  client: Pick<DeploymentClient, 'probe'>
  apiKey: string
  checkId: string
  callbackUrl: string
}): Promise<SandboxSubmission> {
  const { client, apiKey, checkId, callbackUrl } = options
  const externalId = `${OUTCOME}:check-${checkId}`
  const answer = await client.probe({
    method: 'POST',
    path: contract.identity.submitV2.path,
    apiKey,
    timeoutMs: SUBMIT_TIMEOUT_MS,
    json: {
      external_id: externalId,
      callback_url: callbackUrl,
      options: { store_media: false },
      front_image_b64: Buffer.from(drawPicture(numberOf(checkId))).toString('base64'),
      liveness_video_b64: SANDBOX_VIDEO,
    },
  })
  const refusal = readRefusal(answer)
  const path = contract.identity.eraseSubject.path.replace(/:\w+/, encodeURIComponent(externalId))
  return {
    externalId,
    refusal,
    async erase() {
      // Without an answer, it may have been accepted.
      if (answer.status !== null && refusal !== null) return true
      for (let attempt = 1; attempt <= ERASE_ATTEMPTS; attempt++) {
        const { status } = await client.probe({ method: 'DELETE', path, apiKey })
        if (status === 204) return true
        if (status !== 409) return false
        await delay(ERASE_PAUSE_MS)
      }
      return false
    },
  }
}

/** Gives each check another picture, so that none resembles what was sent before. */
const numberOf = (checkId: string): number => Number.parseInt(checkId.slice(0, 4), 16)
