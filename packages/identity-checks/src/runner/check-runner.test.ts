import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckResult } from '../check.ts'
import { createCheckRunner } from './check-runner.ts'

const specimen = (name: string) => path.resolve(import.meta.dirname, '../../specimens', name)
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-runner-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a runner', () => {
  test.skipIf(!hasFfmpeg)('tells each check as it ends, and what it read', { timeout: 30_000 }, async () => {
    const video = path.join(folder, 'video.mp4')
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=15', '-t', '4']
    execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', video])
    await using runner = createCheckRunner({ threads: 1 })
    const told: CheckResult[] = []
    const extracted = await runner.run({
      files: {
        frontImage: specimen('card-front.jpg'),
        backImage: specimen('card-back.jpg'),
        livenessVideo: video,
        referencePortrait: null,
      },
      today: '2026-11-21',
      tell: (result) => told.push(result),
    })
    expect(extracted).toMatchObject({
      full_name: 'ANNA MARIA ERIKSSON',
      document_number: 'L898902C3',
      sex: 'F',
    })
    const outcomes = Object.fromEntries(told.map(({ check, outcome }) => [check, outcome]))
    expect(outcomes).toEqual({
      document_quality: 'passed',
      document_recapture: 'passed',
      mrz_checks: 'passed',
      document_expiry: 'passed',
      video_motion: 'passed',
      printed_fields: 'passed',
      barcode: 'not_run',
      face_presence: 'not_run',
      liveness: 'not_run',
      face_match: 'not_run',
    })
    expect(CHECK_NAMES).toEqual(expect.arrayContaining(Object.keys(outcomes)))
  })

  test('gives up what takes too long, and goes on', { timeout: 30_000 }, async () => {
    const frontImage = specimen('passport.jpg')
    await using hurried = createCheckRunner({ threads: 1, timeoutMs: 1 })
    await expect(hurried.checkRecaptureNow(frontImage)).rejects.toThrow(
      expect.objectContaining({ code: 'timeout' }),
    )
    await using runner = createCheckRunner({ threads: 1 })
    await writeFile(path.join(folder, 'broken.jpg'), 'not a picture')
    await expect(runner.checkRecaptureNow(path.join(folder, 'broken.jpg'))).rejects.toThrow(
      expect.objectContaining({ code: 'failed' }),
    )
    const [first, second] = await Promise.all([
      runner.checkRecaptureNow(frontImage),
      runner.checkRecaptureNow(frontImage),
    ])
    expect(first).toMatchObject({ outcome: 'passed' })
    // The only thread is taken: whoever asks does not wait.
    expect(second).toBeNull()
  })

  test(
    'ends the checks that run, and those that wait, when it is disposed of',
    { timeout: 30_000 },
    async () => {
      const runner = createCheckRunner({ threads: 1 })
      const files = {
        frontImage: specimen('passport.jpg'),
        backImage: null,
        livenessVideo: specimen('liveness.mp4'),
        referencePortrait: null,
      }
      const begun = Promise.withResolvers<void>()
      const run = (tell: () => void) => runner.run({ files, today: '2026-11-21', tell })
      const ends = Promise.allSettled([run(begun.resolve), run(() => undefined), run(() => undefined)])
      await begun.promise
      await runner[Symbol.asyncDispose]()
      expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    },
  )
})
