/**
 * `pnpm bench accuracy`: how often each check has the expected outcome for generated media. Needs ffmpeg and the font OCR-B
 * (Debian: fonts-ocr-b). Drawings are not camera pictures, so these are not error rates for real traffic.
 *
 * `held out` rows are of videos that were not used to set thresholds. `pnpm bench accuracy 60` uses 60 of each kind.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { photograph, recapture } from '../scripts/camera.ts'
import { createLicenceDrawer, licenceText } from '../scripts/draw-licence.ts'
import { drawPeople } from '../scripts/drawn-people.ts'
import { checkBarcode } from '../src/barcode/check-barcode.ts'
import type { CheckResult } from '../src/check.ts'
import { checkDocumentQuality } from '../src/image/document-quality.ts'
import { type OpenedImage, openImage } from '../src/image/open-image.ts'
import { checkSides } from '../src/image/document-sides.ts'
import { describeLikeness, type Likeness, SAME_PARTS } from '../src/image/likeness.ts'
import { checkRecapture } from '../src/image/recapture.ts'
import { MediaError } from '../src/media/media-error.ts'
import { checkExpiry, checkMrz } from '../src/mrz/check-mrz.ts'
import { type Mrz, parseMrz } from '../src/mrz/parse-mrz.ts'
import { checkPrintedFields } from '../src/ocr/check-printed-fields.ts'
import { createPageReader } from '../src/ocr/page-reader.ts'
import { checkMotion } from '../src/video/motion.ts'
import { createVideoProbe } from '../src/runner/create-video-probe.ts'
import { checkVideoIntegrity } from '../src/video/probe-video.ts'
import { readFrames } from '../src/video/read-frames.ts'
import { drawVideos } from './sets/random-videos.ts'
import { SEEDS, type SetName, SETS } from './sets/seeds.ts'
import { upperBound } from './sets/upper-bound.ts'

const DOCUMENTS = 16
const PASSPORTS = 50
const DATED_PASSPORTS = 60
const RANDOM_VIDEOS = Number(process.argv[2] ?? 21)
const TODAY = '2026-11-21'
const AFTER_ALL = '2049-12-31'

interface Row {
  check: string
  'made to be': string
  'should be': string
  set: string
  right: number
  of: number
  otherwise: string
}
const rows = new Map<string, Row>()

/** Counts an outcome. `open` means any outcome that needs a reviewer: a warning, a failure, or nothing read. */
function count(
  check: string,
  made: string,
  expected: 'passed' | 'open',
  { outcome, code, set = 'tuning' }: Pick<CheckResult, 'outcome' | 'code'> & { set?: SetName },
) {
  const id = `${check} ${made} ${set}`
  const row = rows.get(id) ?? {
    check,
    'made to be': made,
    'should be': expected,
    set: SETS[set],
    right: 0,
    of: 0,
    otherwise: '',
  }
  rows.set(id, row)
  row.of++
  if ((outcome === 'passed') === (expected === 'passed')) row.right++
  else if (!row.otherwise.includes(code)) row.otherwise += `${code} `
}

const open = async (image: Sharp): Promise<OpenedImage> =>
  openImage(await image.jpeg({ quality: 88 }).toBuffer())
const blob = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer()

const pageReader = await createPageReader()
let former: Awaited<ReturnType<typeof checkMrz>>['read'] = null
let index = 0
for await (const { png } of drawPeople(DOCUMENTS, { seed: SEEDS.tuning.people, names: 'named' })) {
  const drawing = await sharp(Buffer.from(png, 'base64')).flatten().png().toBuffer()
  const picture = await photograph(drawing)
  const { width = 1, height = 1 } = await sharp(picture).metadata()
  const good = await openImage(picture)
  count('document_quality', 'good', 'passed', await checkDocumentQuality(good))
  const spoiled: Record<string, Sharp> = {
    'blurred by 6 pixels': sharp(picture).blur(6),
    dark: sharp(picture).modulate({ brightness: 0.12 }),
    overexposed: sharp(picture).linear(2.5, 60),
    'under a reflection': sharp(picture).composite([
      {
        input: await blob(Math.round(width * 0.3), Math.round(height * 0.25)),
        left: Math.round(width * 0.35),
        top: Math.round(height * 0.6),
      },
    ]),
    '320 pixels wide': sharp(picture).resize({ width: 320 }),
  }
  for (const [name, image] of Object.entries(spoiled))
    count('document_quality', name, 'open', await checkDocumentQuality(await open(image)))
  count('document_recapture', 'a document', 'passed', await checkRecapture(good))
  count(
    'document_recapture',
    'a document, saved at 40 %',
    'passed',
    await checkRecapture(await openImage(await sharp(picture).jpeg({ quality: 40 }).toBuffer())),
  )
  if (index < DOCUMENTS / 2) {
    const screen = await recapture(drawing)
    count('document_recapture', 'a screen', 'open', await checkRecapture(await openImage(screen)))
    count(
      'document_recapture',
      'a screen, then half as large',
      'open',
      await checkRecapture(await open(sharp(screen).resize({ width: 760 }))),
    )
  }
  const { read } = await checkMrz([good])
  count('document_expiry', 'valid', 'passed', checkExpiry(read, TODAY))
  count('document_expiry', 'expired', 'open', checkExpiry(read, AFTER_ALL))
  // Only passports, because the back of a card has no printed names.
  if (index % 2 === 0) {
    const page = await pageReader.read(good)
    count('printed_fields', 'the same person', 'passed', checkPrintedFields(page, read))
    if (former) count('printed_fields', 'another person', 'open', checkPrintedFields(page, former))
    former = read
  }
  index++
}

/** The zone of the person before, for the names of another person. */
let before: Mrz | null = null
for await (const { lines, png } of drawPeople(2 * DATED_PASSPORTS, {
  seed: SEEDS.tuning.people,
  names: 'named',
})) {
  // What was drawn, because this is about the print.
  const zone = lines.length === 2 ? parseMrz(lines) : null
  if (zone?.dateOfBirth == null || zone.expiryDate === null) continue
  const drawing = await sharp(Buffer.from(png, 'base64')).flatten().png().toBuffer()
  const page = await pageReader.read(await openImage(await photograph(drawing)))
  const moved = (date: string, years: number) => `${Number(date.slice(0, 4)) + years}${date.slice(4)}`
  const zones = {
    'the dates of the zone': zone,
    'another birth than the zone': { ...zone, dateOfBirth: moved(zone.dateOfBirth, 1) },
    'a later expiry than the zone': { ...zone, expiryDate: moved(zone.expiryDate, -1) },
  }
  for (const [name, changed] of Object.entries(zones)) {
    const isOther = checkPrintedFields(page, changed).evidence['other_date'] !== 'none'
    const result = isOther
      ? ({ outcome: 'warning', code: 'printed_date_mismatch' } as const)
      : ({ outcome: 'passed', code: 'dates_match' } as const)
    count('printed_fields', name, changed === zone ? 'passed' : 'open', result)
  }
  const names = {
    'the names of the zone': zone,
    ...(before && {
      'the names of another person': { ...zone, surname: before.surname, givenNames: before.givenNames },
    }),
    'a surname with two other letters': { ...zone, surname: respell(zone.surname ?? '') },
  }
  for (const [name, changed] of Object.entries(names)) {
    const isOther = checkPrintedFields(page, changed).evidence['other_name'] !== 'none'
    const result = isOther
      ? ({ outcome: 'warning', code: 'mrz_name_mismatch' } as const)
      : ({ outcome: 'passed', code: 'no_other_name' } as const)
    count('printed_fields', name, changed === zone ? 'passed' : 'open', result)
  }
  before = zone
}
await pageReader[Symbol.asyncDispose]()

/** Changes the second and the last letter. */
function respell(name: string): string {
  const other = (letter: string) => (letter === 'X' ? 'K' : 'X')
  return [...name].map((letter, at) => (at === 1 || at === name.length - 1 ? other(letter) : letter)).join('')
}

const likenessOf = async (bytes: Buffer) => describeLikeness(await openImage(bytes))
/** Compares a picture with itself as another side, which lies on its side. */
const compareSides = async (picture: Buffer, again: Buffer) =>
  checkSides(await openImage(picture), await openImage(await sharp(again).rotate(90).jpeg().toBuffer()))
/** How a picture of a passport is changed, to be sent again. */
const AGAIN: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  'JPEG of quality 75': (picture) => picture.jpeg({ quality: 75 }),
  'JPEG of quality 40': (picture) => picture.jpeg({ quality: 40 }),
  'WebP of quality 60': (picture) => picture.webp({ quality: 60 }),
  'a little brighter': (picture) => picture.linear(1.05, 4),
  'scaled to 93 %': (picture) => picture.resize({ width: 1490 }),
  'half as large': (picture) => picture.resize({ width: 800 }),
}
for (const set of ['tuning', 'heldOut'] as const) {
  const scanned: Likeness[] = []
  const photographed: Likeness[] = []
  for await (const { lines, png } of drawPeople(2 * PASSPORTS, { seed: SEEDS[set].people })) {
    if (lines.length !== 2) continue
    const drawing = await sharp(Buffer.from(png, 'base64')).flatten().png().toBuffer()
    const picture = await photograph(drawing)
    const likeness = await likenessOf(picture)
    for (const [name, change] of Object.entries(AGAIN)) {
      const changed = await change(sharp(picture)).toBuffer()
      const again = await likenessOf(changed)
      count('reused_media', `the same picture, ${name}`, 'open', { ...compare(likeness, again), set })
      const sides = await compareSides(picture, changed)
      count('document_sides', `one picture twice and turned, ${name}`, 'open', { ...sides, set })
    }
    const flat = await likenessOf(await sharp(drawing).jpeg().toBuffer())
    for (const other of scanned)
      count('reused_media', "two people's passports, scanned", 'passed', { ...compare(flat, other), set })
    for (const other of photographed)
      count('reused_media', "two people's passports, framed alike", 'passed', {
        ...compare(likeness, other),
        set,
      })
    scanned.push(flat)
    photographed.push(likeness)
  }
}

/** Compares likenesses like the server, which has digests of their parts. */
function compare(one: Likeness, other: Likeness): Pick<CheckResult, 'outcome' | 'code'> {
  const equal = one.filter((part, index) => part === other[index]).length
  return equal >= SAME_PARTS
    ? { outcome: 'warning', code: 'media_resembles' }
    : { outcome: 'passed', code: 'media_new' }
}

const drawLicence = await createLicenceDrawer()
const background = '#5b4a3a'
/** How the picture of a licence is degraded, and whether its barcode should be read. */
const LICENCES: Readonly<Record<string, { expected: 'passed' | 'open'; spoil: (picture: Sharp) => Sharp }>> =
  {
    photographed: { expected: 'passed', spoil: (picture) => picture },
    'upside down': { expected: 'passed', spoil: (picture) => picture.rotate(180) },
    'tilted by 5 degrees': { expected: 'passed', spoil: (picture) => picture.rotate(5, { background }) },
    'blurred by 2 pixels': { expected: 'passed', spoil: (picture) => picture.blur(2) },
    'half as large': { expected: 'passed', spoil: (picture) => picture.resize({ width: 800 }) },
    'JPEG of quality 15': { expected: 'passed', spoil: (picture) => picture.jpeg({ quality: 15 }) },
    'a quarter as large': { expected: 'open', spoil: (picture) => picture.resize({ width: 400 }) },
  }
for (let number = 0; number < DOCUMENTS; number++) {
  const day = String(1 + (number % 28)).padStart(2, '0')
  const holder = {
    documentNumber: `T${642_357 + 7919 * number}`,
    surname: `SPECIMEN${'ABCDEFGHIJKLMNOP'[number]}`,
    givenNames: 'ANNA',
    birth: `19${60 + number}03${day}`,
    expiry: `20${30 + number}11${day}`,
  }
  const picture = await photograph(await drawLicence(licenceText(holder)))
  for (const [name, { expected, spoil }] of Object.entries(LICENCES)) {
    const image = await openImage(await spoil(sharp(picture)).toBuffer())
    const { result, read } = await checkBarcode([image], null)
    const isRight = read?.documentNumber === holder.documentNumber && read.surname === holder.surname
    const misread = { outcome: 'warning', code: 'misread' } as const
    count('barcode', name, expected, result.outcome === 'passed' && !isRight ? misread : result)
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-accuracy-'))
const person = path.resolve(import.meta.dirname, '../specimens/person.jpg')
const lavfi = (source: string) => ['-f', 'lavfi', '-i', source]
const still = ['-loop', '1', '-i', person]
/** How each video is made, and whether it should pass. */
const VIDEOS: Readonly<Record<string, { expected: 'passed' | 'open'; input: string[]; filter?: string }>> = {
  'a moving picture': { expected: 'passed', input: lavfi('testsrc2=size=640x480') },
  'a camera that moves over a face': {
    expected: 'passed',
    input: still,
    filter: "zoompan=z=1.5:x='100+on*3':y='80+20*sin(on/5)':d=400:s=640x480",
  },
  'a zoom into a fractal': { expected: 'passed', input: lavfi('mandelbrot=size=640x480') },
  frozen: { expected: 'open', input: still, filter: 'scale=640:480' },
  'frozen, with noise': { expected: 'open', input: still, filter: 'scale=640:480,noise=alls=12:allf=t' },
  looped: { expected: 'open', input: lavfi('testsrc2=size=640x480'), filter: 'loop=loop=20:size=15' },
  black: { expected: 'open', input: lavfi('color=c=black:size=640x480') },
}
const makeVideo = (file: string, options: readonly string[]) =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...options, file])
await using probe = createVideoProbe()
for (const [name, { expected, input, filter }] of Object.entries(VIDEOS))
  for (const rate of [15, 30])
    for (const seconds of [4, 8]) {
      const file = path.join(folder, `${rate}-${seconds}.mp4`)
      const filters = [filter, `fps=${rate}`].filter(Boolean).join(',')
      const encoding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
      makeVideo(file, [...input, '-vf', filters, '-t', String(seconds), ...encoding])
      count('video_motion', name, expected, checkMotion(await readFrames(file)))
      if (name !== 'a moving picture') continue
      count('video_integrity', 'whole', 'passed', checkVideoIntegrity(await probe.probe(file)))
      for (const share of [0.3, 0.6, 0.9]) {
        const bytes = await readFile(file)
        const cut = path.join(folder, 'cut.mp4')
        await writeFile(cut, bytes.subarray(0, bytes.length * share))
        const result = await probe.probe(cut).then(checkVideoIntegrity, (error: unknown) => {
          if (error instanceof MediaError) return { outcome: 'failed', code: error.code } as const
          throw error
        })
        count('video_integrity', 'cut short', 'open', result)
      }
    }

for (const set of ['tuning', 'heldOut'] as const)
  for (const { made, expected, detail, make } of drawVideos(SEEDS[set].videos, RANDOM_VIDEOS)) {
    const file = path.join(folder, 'random.mp4')
    makeVideo(file, make)
    const result = checkMotion(await readFrames(file))
    count('video_motion', made, expected, { ...result, set })
    const isRight = (result.outcome === 'passed') === (expected === 'passed')
    // Do not print held-out misses: whoever sees them would tune on them.
    if (!isRight && set === 'tuning') console.log(`${made}, ${result.code}: ${detail}`)
  }
await rm(folder, { recursive: true })
console.table(
  [...rows.values()].map((row) => ({
    ...row,
    'wrong at most, 95 %':
      row.set === SETS.heldOut ? `${(100 * upperBound(row.of - row.right, row.of)).toFixed(1)} %` : '',
  })),
)
