import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { runTool } from '@vaani/test-services/run-tool'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worseResult } from '../check.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { openImage } from '../image/open-image.ts'
import { checkRecapture } from '../image/recapture.ts'
import { checkMrz } from '../mrz/check-mrz.ts'
import { sniffMedia } from './sniff.ts'
import { checkMotion } from '../video/motion.ts'
import { createVideoProbe } from '../runner/create-video-probe.ts'
import { checkVideoIntegrity, requireDuration } from '../video/probe-video.ts'
import { readFrames } from '../video/read-frames.ts'

const refused = (code: string) => expect.objectContaining({ name: 'MediaError', code })

const specimen = (name: string) => readFile(path.resolve(import.meta.dirname, '../../specimens', name))

const RUNS = thorough({ usual: 20, long: 300 })

describe('an image', () => {
  test('is recognized by its content', async () => {
    const source = await sharp(await specimen('passport.jpg'))
      .resize({ width: 400 })
      .toBuffer()
    expect(sniffMedia(source)).toBe('image/jpeg')
    expect(sniffMedia(await sharp(source).png().toBuffer())).toBe('image/png')
    expect(sniffMedia(await sharp(source).webp().toBuffer())).toBe('image/webp')
    expect(sniffMedia(Buffer.from('....ftypheic....'))).toBe('image/heic')
    expect(sniffMedia(Buffer.from('....ftypmif1....heic'))).toBe('image/heic')
    expect(sniffMedia(Buffer.from('....ftypmif1....avif'))).toBe('image/avif')
    expect(sniffMedia(await sharp(source).avif({ effort: 0 }).toBuffer())).toBe('image/avif')
    expect(sniffMedia(Buffer.from('%PDF-1.7'))).toBe('application/pdf')
    for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '\0'.repeat(64)])
      expect(sniffMedia(Buffer.from(text)), text).toBeNull()
  })

  test('is rotated per its metadata, and then loses all metadata', async () => {
    const turned = await sharp(await specimen('passport.jpg'))
      .withExif({ IFD0: { Software: 'Editor 1', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { jpeg, width, height } = await openImage(turned)
    expect([width, height]).toEqual([1223, 1680])
    const metadata = await sharp(jpeg).metadata()
    expect(metadata.exif).toBeUndefined()
    expect(jpeg.includes('Editor')).toBe(false)
  })

  test('is read alike as HEIC, AVIF and JPEG', async () => {
    const source = await sharp(await specimen('passport.jpg'))
      .resize({ width: 1000 })
      .toBuffer()
    const heic = await readFile(path.resolve(import.meta.dirname, '../image/passport.heic'))
    const avif = await sharp(source).avif({ effort: 0, quality: 70 }).toBuffer()
    for (const picture of [heic, avif]) {
      const { read } = await checkMrz([await openImage(picture)])
      expect(read).toMatchObject({ documentNumber: 'L898902C3', surname: 'ERIKSSON' })
    }
    for (const cut of [heic.subarray(0, 20_000), avif.subarray(0, 20_000)])
      await expect(openImage(cut)).rejects.toThrow(refused('damaged'))
  })

  test('as HEIC leaves nothing in the memory of its decoder, which has four gigabytes', async () => {
    const heic = await readFile(path.resolve(import.meta.dirname, '../image/passport.heic'))
    const padded = Buffer.concat([heic.subarray(0, 20_000), Buffer.alloc(32_000_000)])
    await openImage(padded)
    const residentBytes = process.memoryUsage.rss()
    for (let time = 0; time < 5; time++) await openImage(padded)
    expect(process.memoryUsage.rss() - residentBytes).toBeLessThan(4 * padded.length)
    expect(await openImage(heic)).toMatchObject({ width: 1000 })
  })

  test('that is invalid, truncated, huge, small or of another type is refused with a code', async () => {
    const source = await specimen('passport.jpg')
    await expect(openImage(Buffer.from('<svg/>'))).rejects.toThrow(refused('unknown_type'))
    await expect(openImage(Buffer.from('....ftypheic....'))).rejects.toThrow(refused('damaged'))
    await expect(openImage(Buffer.from('%PDF-1.7'))).rejects.toThrow(refused('pdf_not_supported'))
    await expect(openImage(source.subarray(0, source.length / 2))).rejects.toThrow(refused('damaged'))
    const bomb = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
      .png()
      .toBuffer()
    // The size in its header, and the checksum of that.
    bomb.writeUInt32BE(9000, 16)
    bomb.writeUInt32BE(9000, 20)
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
    await expect(openImage(bomb)).rejects.toThrow(refused('too_many_pixels'))
    await expect(openImage(await sharp(source).resize({ width: 150 }).toBuffer())).rejects.toThrow(
      refused('too_small'),
    )
  })

  test('scores well if sharp, and worse the more it is blurred, dark or small', async () => {
    const source = sharp(await specimen('passport.jpg'))
    const check = async (image = source) =>
      checkDocumentQuality(await openImage(await image.jpeg().toBuffer()))
    expect(await check()).toMatchObject({ outcome: 'passed', code: 'quality_good' })
    const scores = await Promise.all(
      [1, 2, 3, 5].map(async (blur) => (await check(source.clone().blur(blur))).score),
    )
    expect(scores).toEqual(scores.toSorted((a, b) => (b ?? 0) - (a ?? 0)))
    expect(await check(source.clone().blur(5))).toMatchObject({ outcome: 'failed', code: 'image_blurred' })
    const dark = (brightness: number) => check(source.clone().modulate({ brightness }))
    expect(await dark(0.5)).toMatchObject({ outcome: 'passed' })
    expect(await dark(0.15)).toMatchObject({ outcome: 'failed', code: 'image_too_dark' })
    expect(await check(source.clone().resize({ width: 420 }))).toMatchObject({
      outcome: 'failed',
      code: 'image_too_small',
    })
  })

  test('that was read is not too bright, like a passport scanned on white paper', async () => {
    const passport = await sharp(await specimen('passport.jpg'))
      .resize({ width: 1000 })
      .toBuffer()
    const paper = sharp({ create: { width: 1654, height: 2339, channels: 3, background: '#fff' } })
    const scan = await openImage(
      await paper
        .composite([{ input: passport, left: 300, top: 300 }])
        .jpeg()
        .toBuffer(),
    )
    const { isFrontRead } = await checkMrz([scan])
    expect(await checkDocumentQuality(scan)).toMatchObject({ outcome: 'failed', code: 'image_too_bright' })
    expect(await checkDocumentQuality(scan, { isLegible: isFrontRead })).toMatchObject({ outcome: 'passed' })
  })

  test.each(
    thorough({ usual: ['card-back.jpg'], long: ['card-front.jpg', 'card-back.jpg', 'passport-expired.jpg'] }),
  )('%s passes quality and recapture', async (name) => {
    const image = await openImage(await specimen(name))
    expect(await checkDocumentQuality(image)).toMatchObject({ outcome: 'passed' })
    expect(await checkRecapture(image)).toMatchObject({ outcome: 'passed', code: 'no_moire' })
  })

  test('of a screen is suspected by its moiré, on either side', async () => {
    const image = await openImage(await specimen('passport-on-screen.jpg'))
    const failed = await checkRecapture(image)
    expect(failed).toMatchObject({ outcome: 'failed', code: 'recapture_suspected' })
    const passed = await checkRecapture(await openImage(await specimen('card-front.jpg')))
    const small = await sharp(await specimen('card-back.jpg'))
      .resize({ width: 700 })
      .toBuffer()
    // Whoever sends a picture must not choose that it is not checked.
    const unsure = await checkRecapture(await openImage(small))
    expect(unsure).toMatchObject({ outcome: 'warning', code: 'image_too_small' })
    // Two sides are as good as the worse one.
    expect(worseResult(passed, failed)).toBe(failed)
    expect(worseResult(failed, passed)).toBe(failed)
    expect(worseResult(passed, unsure)).toBe(unsure)
    expect(worseResult(failed, unsure)).toBe(failed)
    expect(worseResult({ ...passed, score: 0.7 }, { ...passed, score: 0.6 })).toMatchObject({ score: 0.6 })
  })
})

describe('a video', { tags: 'ffmpeg' }, () => {
  let folder: string
  const probe = createVideoProbe()
  const file = (name: string) => path.join(folder, name)
  const make = (name: string, source: string, ...options: string[]) =>
    runTool('ffmpeg', ['-f', 'lavfi', '-i', source, ...options, file(name)])

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vaani-media-'))
    const x264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']
    make(
      'moving.mp4',
      'mandelbrot=size=320x240:rate=15:start_scale=2',
      '-t',
      '5',
      '-movflags',
      'faststart',
      ...x264,
    )
    make('moving.mov', 'testsrc2=size=320x240:rate=15', '-t', '5', ...x264)
    make('moving.webm', 'testsrc2=size=320x240:rate=15', '-t', '4', '-c:v', 'libvpx')
    make('frozen.mp4', 'color=c=gray:size=320x240:rate=15', '-t', '5', ...x264)
    make('looped.mp4', 'testsrc2=size=320x240:rate=15,loop=loop=20:size=25', '-t', '4', ...x264)
    make('black.mp4', 'color=c=black:size=320x240:rate=15', '-t', '5', ...x264)
    make('short.mp4', 'testsrc2=size=320x240:rate=15', '-t', '1', ...x264)
    make('long.mp4', 'testsrc2=size=320x240:rate=15', '-t', '12', ...x264)
    make(
      'longer-sound.mp4',
      'testsrc2=size=320x240:rate=15:duration=4',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=4.6',
      ...x264,
    )
    make('sound.mp4', 'sine=frequency=440', '-t', '5', '-c:a', 'aac')
  })
  afterAll(async () => {
    await probe[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(['moving.mp4', 'moving.mov', 'moving.webm'])('%s is measured by its packets', async (name) => {
    const video = await probe.probe(file(name))
    expect(video.durationSeconds).toBeCloseTo(name.endsWith('webm') ? 4 : 5, 0)
    requireDuration(video, { minSeconds: 3, maxSeconds: 10 })
    expect(checkVideoIntegrity(video)).toMatchObject({ outcome: 'passed' })
  })

  test('whose sound goes on a little longer is whole, and cut if it was truncated', async () => {
    const video = await probe.probe(file('longer-sound.mp4'))
    expect(video.durationSeconds).toBeCloseTo(4, 1)
    expect(checkVideoIntegrity(video)).toMatchObject({ outcome: 'passed', code: 'video_whole' })
    const moovFirst = file('sound-first.mp4')
    runTool('ffmpeg', ['-i', file('longer-sound.mp4'), '-c', 'copy', '-movflags', 'faststart', moovFirst])
    await truncate(moovFirst, Math.floor((await readFile(moovFirst)).length * 0.6))
    expect(checkVideoIntegrity(await probe.probe(moovFirst))).toMatchObject({ code: 'video_cut' })
  })

  test('that is too short, too long, truncated, without pictures or not a video is refused or fails', async () => {
    const bounds = { minSeconds: 3, maxSeconds: 10 }
    const short = await probe.probe(file('short.mp4'))
    expect(() => requireDuration(short, bounds)).toThrow(refused('too_short'))
    const long = await probe.probe(file('long.mp4'))
    expect(() => requireDuration(long, bounds)).toThrow(refused('too_long'))
    await expect(probe.probe(file('sound.mp4'))).rejects.toThrow(refused('no_video'))
    const bytes = await readFile(file('moving.mp4'))
    await writeFile(file('half.mp4'), bytes)
    await truncate(file('half.mp4'), Math.floor(bytes.length * 0.7))
    expect(checkVideoIntegrity(await probe.probe(file('half.mp4')))).toMatchObject({
      outcome: 'failed',
      code: 'video_cut',
    })
    await writeFile(file('text.mp4'), 'not a video')
    await expect(probe.probe(file('text.mp4'))).rejects.toThrow(refused('unknown_type'))
  })

  test('passes if it moves, but not if it is frozen, looped or black', async () => {
    const check = async (name: string) => checkMotion(await readFrames(file(name)))
    expect(await check('moving.mp4')).toMatchObject({ outcome: 'passed' })
    expect(await check('frozen.mp4')).toMatchObject({ outcome: 'failed', code: 'video_frozen' })
    expect(await check('looped.mp4')).toMatchObject({ outcome: 'warning', code: 'video_looped' })
    expect(await check('black.mp4')).toMatchObject({ outcome: 'failed', code: 'video_black' })
    expect(checkMotion(null)).toMatchObject({ outcome: 'not_run', code: 'no_frame_extractor' })
    const none = { width: 160, height: 120, perSecond: 15, frames: [] }
    expect(checkMotion(none)).toMatchObject({ outcome: 'warning', code: 'too_few_frames' })
    expect(await readFrames(file('moving.mp4'), { program: 'no-such-program' })).toBeNull()
  })

  test.each([
    { rate: '30000/1001', loopFrames: 41 },
    ...thorough({
      usual: [],
      long: [
        { rate: '24', loopFrames: 33 },
        { rate: '60', loopFrames: 53 },
        { rate: '25', loopFrames: 48 },
        { rate: '30', loopFrames: 39 },
        { rate: '50', loopFrames: 49 },
      ],
    }),
  ])('that repeats is detected at $rate frames per second', async ({ rate, loopFrames }) => {
    const source = `mandelbrot=size=160x120:rate=${rate}:start_scale=2`
    const encoding = ['-t', '5', '-y', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast']
    make('fractal.mp4', source, ...encoding)
    make('repeating.mp4', `${source},loop=loop=-1:size=${loopFrames}`, ...encoding)
    expect(checkMotion(await readFrames(file('fractal.mp4')))).toMatchObject({ outcome: 'passed' })
    expect(checkMotion(await readFrames(file('repeating.mp4')))).toMatchObject({
      outcome: 'warning',
      code: 'video_looped',
      // Far from the threshold, because identical frames are compared.
      evidence: { repetition: expect.toSatisfy((value: number) => value < 0.3) },
    })
  })

  test.each([
    { rate: 1, expected: 4 },
    { rate: 50, expected: 25 },
    { rate: 240, expected: 30 },
    ...thorough({
      usual: [],
      long: [
        { rate: 24, expected: 24 },
        { rate: 30, expected: 30 },
        { rate: 60, expected: 30 },
      ],
    }),
  ])('of $rate frames per second is sampled at $expected', async ({ rate, expected }) => {
    const fast = ['-c:v', 'libx264', '-preset', 'ultrafast']
    make('sampled.mp4', `testsrc2=size=160x120:rate=${rate}`, '-t', '2', '-y', ...fast)
    const frames = await readFrames(file('sampled.mp4'))
    expect(frames?.perSecond).toBe(expected)
    expect(frames?.frames).toHaveLength(2 * expected)
  })

  test('that takes too long to decode is refused, not judged in part', async () => {
    const fast = ['-c:v', 'libx264', '-preset', 'ultrafast']
    make('part.mp4', 'testsrc2=size=3840x2160:rate=30', '-frames:v', '3', ...fast)
    // The same part again and again takes as long to decode, but less to make.
    const repeated = ['-stream_loop', '79', '-i', file('part.mp4'), '-c', 'copy', file('large.mp4')]
    runTool('ffmpeg', repeated)
    await expect(readFrames(file('large.mp4'), { processorSeconds: 1 })).rejects.toThrow(
      refused('decoding_timeout'),
    )
    make('huge.mp4', 'testsrc2=size=8192x4320:rate=4', '-frames:v', '1', ...fast)
    expect((await readFrames(file('huge.mp4')))?.frames).toEqual([])
  })

  test('that blocks the parser is abandoned, and the next one is read', async () => {
    await using hurried = createVideoProbe({ limits: { probe_video: { processorMs: 1, memoryMb: 1024 } } })
    await expect(hurried.probe(file('moving.mp4'))).rejects.toThrow(refused('decoding_timeout'))
    expect((await probe.probe(file('moving.mp4'))).packets).toBe(75)
  })

  test('corrupted anywhere never crashes or hangs the probe', async () => {
    await using hurried = createVideoProbe({ limits: { probe_video: { processorMs: 500, memoryMb: 1024 } } })
    let seed = 20_261_121
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff) / 0x7f_ff_ff_ff
    const seeds = await Promise.all(
      ['moving.mp4', 'moving.mov', 'moving.webm'].map((name) => readFile(file(name))),
    )
    for (let run = 0; run < RUNS; run++) {
      const bytes = Buffer.from(seeds[run % seeds.length] ?? [])
      const head = run % 2 ? 4000 : bytes.length
      for (let change = 0; change < 1 + random() * 8; change++) {
        const at = Math.floor(random() * (Math.min(head, bytes.length) - 4))
        bytes.writeUInt32BE(
          [0, 0xff_ff_ff_ff, 0x7f_ff_ff_ff, Math.floor(random() * 2 ** 32)][run % 4] ?? 0,
          at,
        )
      }
      await writeFile(file('fuzz'), bytes)
      await hurried.probe(file('fuzz')).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'MediaError' })
      })
    }
  })
})
