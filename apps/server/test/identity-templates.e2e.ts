/** Documents without a machine-readable zone, which a policy of the operator approves by their print. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Verification } from '@vaani/contracts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { untilDecided } from './support/until-decided.ts'

const specimenPath = (name: string) =>
  path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens', name)
const specimen = (name: string) => readFile(specimenPath(name))

/** As in docs/operate/templates.md. */
const POLICIES = {
  cards: {
    weights: {
      mrz_checks: 'ignored',
      face_presence: 'ignored',
      liveness: 'ignored',
      face_match: 'supporting',
    },
    any_of: [['mrz_checks', 'barcode', 'document_template']],
  },
}

let folder: string
let policies: string
let video: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-cards-'))
  policies = path.join(folder, 'policies.json')
  await writeFile(policies, JSON.stringify(POLICIES))
  video = await readFile(specimenPath('liveness.mp4'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function verify(server: TestServer, front: Buffer, back: Buffer): Promise<Verification> {
  const { body } = await server.json<Verification>('/identity/kyc/v2', {
    body: {
      front_image_b64: front.toString('base64'),
      back_image_b64: back.toString('base64'),
      liveness_video_b64: video.toString('base64'),
      external_id: 'sita',
    },
  })
  await untilDecided(
    async (list) => (await server.json<{ data: Verification[] }>(list)).body,
    body.verification_id,
  )
  const route = `/identity/verifications/${body.verification_id}?include_media=extracted`
  return (await server.json<Verification>(route)).body
}

describe('a citizenship card', { tags: 'ffmpeg' }, () => {
  test('is approved by a policy that asks for one of zone, barcode and print, and only if it was read', async () => {
    await using server = await startTestServer({
      config: { identityPoliciesFile: policies, identityPolicy: 'cards' },
    })
    const [front, back] = [await specimen('citizenship-front.jpg'), await specimen('citizenship-back.jpg')]
    const approved = await verify(server, front, back)
    expect(approved.reasons ?? []).toEqual([])
    expect(approved).toMatchObject({
      status: 'approved',
      scores: { ocr_confidence: expect.any(Number) },
      extracted: {
        document_type: 'citizenship',
        document_number: '27-01-70-01234',
        full_name: 'SITA GURUNG',
        date_of_birth: '1988-08-28',
        sex: 'F',
        issuing_country: 'NPL',
        expiry_date: null,
        mrz: null,
      },
    })
    expect(approved.model_used).toContain('nepal-citizenship/')

    const blurred = await verify(server, await sharp(front).blur(6).jpeg().toBuffer(), back)
    expect(blurred).toMatchObject({ status: 'review', extracted: null, resubmit: true })
    expect(blurred.reasons).toContainEqual(
      expect.objectContaining({
        check: 'document_template',
        code: 'document_not_recognised',
        next_step: expect.stringContaining('Take the picture again'),
      }),
    )
  })

  describe('and others', () => {
    test('a passport is decided by the same policy as ever', async () => {
      await using server = await startTestServer({
        config: { identityPoliciesFile: policies, identityPolicy: 'cards' },
      })
      const passport = await verify(server, await specimen('passport.jpg'), await specimen('card-front.jpg'))
      expect(passport).toMatchObject({ status: 'approved', extracted: { document_number: 'L898902C3' } })
    })

    test('a card is not approved by the default policy, but its fields are there for the reviewer', async () => {
      await using server = await startTestServer({})
      const verification = await verify(
        server,
        await specimen('citizenship-front.jpg'),
        await specimen('citizenship-back.jpg'),
      )
      expect(verification).toMatchObject({
        status: 'review',
        extracted: { document_number: '27-01-70-01234' },
      })
      expect(verification.reasons?.map(({ check }) => check)).toContain('mrz_checks')
    })
  })
})
