/** Runs the conformance tests on the built-in adapters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { runTool } from '@vaani/test-services/run-tool'
import { afterAll, describe } from 'vitest'
import { runCheckConformance } from './check.ts'
import { runPageReaderConformance } from './page-reader.ts'
import { runVideoProbeConformance } from './video-probe.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { hasFfmpeg } from '../../test/media.ts'
import { openImage } from '../image/open-image.ts'
import { checkRecapture } from '../image/recapture.ts'
import { checkExpiry, checkMrz } from '../mrz/check-mrz.ts'
import { createPageReader } from '../ocr/page-reader.ts'
import { checkMotion } from '../video/motion.ts'
import { createVideoProbe } from '../runner/create-video-probe.ts'
import { readFrames } from '../video/read-frames.ts'

const specimen = async (name: string) =>
  openImage(await readFile(path.resolve(import.meta.dirname, '../../specimens', `${name}.jpg`)))
const blank = async () =>
  openImage(
    await sharp({ create: { width: 400, height: 300, channels: 3, background: '#f4f4f4' } })
      .jpeg()
      .toBuffer(),
  )

runCheckConformance({
  name: 'document quality',
  check: 'document_quality',
  good: async () => checkDocumentQuality(await specimen('passport')),
  bad: async () => checkDocumentQuality(await specimen('passport-blurred')),
  badOutcomes: ['warning', 'failed'],
})
runCheckConformance({
  name: 'recapture',
  check: 'document_recapture',
  good: async () => checkRecapture(await specimen('passport')),
  bad: async () => checkRecapture(await specimen('passport-on-screen')),
  badOutcomes: ['warning', 'failed'],
})
runCheckConformance({
  name: 'the machine-readable zone',
  check: 'mrz_checks',
  good: async () => (await checkMrz([await specimen('passport')])).result,
  bad: async () => (await checkMrz([await blank()])).result,
  badOutcomes: ['warning', 'failed', 'not_run'],
})
const expiryOf = async (name: string) =>
  checkExpiry((await checkMrz([await specimen(name)])).read, '2026-11-21')
runCheckConformance({
  name: 'expiry',
  check: 'document_expiry',
  good: () => expiryOf('passport'),
  bad: () => expiryOf('passport-expired'),
  badOutcomes: ['failed'],
})
runPageReaderConformance({
  name: 'tesseract.js',
  createReader: createPageReader,
  page: () => specimen('passport'),
  words: ['ERIKSSON', 'ANNA'],
  blank,
})

describe('videos', { tags: 'ffmpeg' }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vaani-conformance-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const make = (name: string, source: string): string => {
    const file = path.join(folder, name)
    const encode = ['-t', '4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', file]
    if (hasFfmpeg) runTool('ffmpeg', ['-f', 'lavfi', '-i', source, ...encode])
    return file
  }
  const moving = make('moving.mp4', 'testsrc2=size=320x240:rate=15')
  const frozen = make('frozen.mp4', 'color=c=gray:size=320x240:rate=15')
  const noise = path.join(folder, 'noise.mp4')
  writeFileSync(noise, 'ftypisom is not enough')
  const empty = path.join(folder, 'empty.webm')
  writeFileSync(empty, '')

  runVideoProbeConformance({
    name: 'mediabunny',
    createProbe: createVideoProbe,
    video: { file: () => moving, seconds: 4 },
    notVideos: () => [noise, empty],
  })
  runCheckConformance({
    name: 'motion',
    check: 'video_motion',
    good: async () => checkMotion(await readFrames(moving)),
    bad: async () => checkMotion(await readFrames(frozen)),
    badOutcomes: ['failed', 'warning'],
  })
})
