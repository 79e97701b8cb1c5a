import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import path from 'node:path'

const SPECIMENS = path.resolve(import.meta.dirname, '../../../../packages/identity-checks/specimens')

/** A submission that pauses in the middle of its video until `finish`. */
export interface PartialUpload {
  /** Sends the rest. */
  finish(): Promise<{ status: number | undefined; body: unknown }>
  destroy(): void
}

/** Reads a version 2 submission as JSON, with the video last. */
export async function readSubmission(): Promise<string> {
  const [front_image_b64, liveness_video_b64] = await Promise.all(
    ['passport.jpg', 'liveness.mp4'].map(async (name) =>
      (await readFile(path.join(SPECIMENS, name))).toString('base64'),
    ),
  )
  return JSON.stringify({ front_image_b64, liveness_video_b64 })
}

export async function uploadInPart(url: string, key: string): Promise<PartialUpload> {
  const body = await readSubmission()
  const middle = Math.floor((body.indexOf('liveness_video_b64') + body.length) / 2)
  const request: ClientRequest = sendRequest(`${url}/identity/kyc/v2`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  // The server may be killed before it answers.
  answered.catch(() => undefined)
  request.write(body.slice(0, middle))
  return {
    async finish() {
      request.end(body.slice(middle))
      const [response] = await answered
      return { status: response.statusCode, body: await json(response) }
    },
    destroy: () => void request.destroy(),
  }
}
