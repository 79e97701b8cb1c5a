import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeVideo } from '@vaani/test-services/run-tool'
import { afterAll, beforeAll } from 'vitest'

export const specimen = (name: string): string => path.resolve(import.meta.dirname, '../specimens', name)
export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

/** The barcode of a licence that is valid until 2034. */
export const LICENCE =
  '@\n\u001E\rANSI 636000100001DL00310100DLDAQT64235789\nDCSSAMPLE\nDACMICHAEL\nDBB06061986\nDBA12102034\nDCGUSA\r'

/** Gives the tests of a file a folder and, if ffmpeg is installed, a moving video of 4 s. */
export function useMedia() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vaani-runner-'))
  const video = path.join(folder, 'video.mp4')
  beforeAll(() => {
    if (hasFfmpeg) makeVideo(video, ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=15', '-t', '4'])
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const files = (frontImage: string) => ({
    frontImage,
    backImage: null,
    livenessVideo: video,
    referencePortrait: null,
  })
  return { folder, video, files }
}
