/** A server with a face engine added by the operator. Runs if `VAANI_TEST_ENGINES` names a directory that contains it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Verification } from '@vaani/contracts'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { expect, test } from 'vitest'
import { startTestServer } from './support/test-server.ts'
import { until } from './support/until.ts'

const directory = process.env['VAANI_TEST_ENGINES']
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0
const specimenPath = (name: string) =>
  path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens', name)

test.skipIf(directory === undefined || !hasFfmpeg)(
  'the person in the portrait is distinguished from another, and liveness stays unproven',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
    try {
      const video = path.join(folder, 'video.mp4')
      const zoom = 'zoompan=z=1+0.002*on:d=60:s=640x640:fps=15'
      const source = ['-loop', '1', '-i', specimenPath('person.jpg'), '-vf', zoom, '-t', '4']
      execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', video])
      await using server = await startTestServer({ config: { engines: { face: 'human', directory } } })
      const base64 = async (file: string) => (await readFile(file)).toString('base64')
      const verify = async (portrait: string) => {
        const { body } = await server.json<Verification>('/identity/kyc/v2', {
          body: {
            front_image_b64: await base64(specimenPath('passport.jpg')),
            liveness_video_b64: await base64(video),
            reference_portrait_b64: await base64(specimenPath(portrait)),
          },
        })
        // Poll the list, because reads of a single verification count toward its limit.
        return until(
          async () => {
            const { data } = (await server.json<{ data: Verification[] }>('/identity/verifications')).body
            return data.find(({ verification_id }) => verification_id === body.verification_id) ?? body
          },
          ({ status }) => status !== 'pending',
          { withinMs: 60_000 },
        )
      }
      const same = await verify('person.jpg')
      expect(same.status).toBe('review')
      expect(same.model_used).toContain('human/')
      const codes = same.reasons?.map(({ code }) => code)
      expect(codes).toContain('no_engine')
      expect(codes).not.toContain('no_face')
      expect(codes).not.toContain('face_mismatch')
      expect(same.scores?.face_match).toBeGreaterThan(0.7)
      const other = await verify('other-person.jpg')
      expect(other.scores?.face_match).toBeLessThan(same.scores?.face_match ?? 0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('a server whose engine is not installed does not start, and names the missing package', async () => {
  const starting = startTestServer({ config: { engines: { face: 'human', directory: tmpdir() } } })
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow('@tensorflow/tfjs-core, which is not installed')
})
