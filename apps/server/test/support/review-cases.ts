import { expect } from 'vitest'
import { makeMedia, makePassport } from './submissions.ts'
import type { TestServer } from './test-server.ts'

interface Read {
  verification_id: string
  decision: string
}

/** Verifications that wait for people. */
export interface ReviewCases {
  /** Submits a person whom the checks leave to people; with a test key, its name may be followed by `:` and anything. */
  submit(key: string, externalId?: string): Promise<string>
  /** Submits a specimen of a passport, which is really read. */
  submitPassport(key: string): Promise<string>
  decisionOf(id: string, key: string): Promise<string>
}

export async function createReviewCases(server: Pick<TestServer, 'json'>): Promise<ReviewCases> {
  const media = await makeMedia()
  const [image, video] = [media.image.toString('base64'), media.video.toString('base64')]

  async function decisionOf(id: string, key: string): Promise<string> {
    const { body } = await server.json<Read>(`/identity/verifications/${id}`, { key })
    return body.decision
  }
  async function send(key: string, body: object): Promise<string> {
    const sent = await server.json<Read>('/identity/kyc/v2', { key, body })
    expect(sent.status).toBe(200)
    const id = sent.body.verification_id
    await expect.poll(() => decisionOf(id, key), { interval: 500 }).toBe('review')
    return id
  }
  return {
    decisionOf,
    submit: (key, externalId = 'test_review_glare') =>
      send(key, {
        external_id: externalId,
        front_image_b64: image,
        back_image_b64: image,
        liveness_video_b64: video,
      }),
    submitPassport: async (key) =>
      send(key, {
        external_id: 'anna',
        front_image_b64: (await makePassport()).toString('base64'),
        liveness_video_b64: video,
      }),
  }
}
