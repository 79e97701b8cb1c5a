import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLicenceDrawer } from '../../scripts/draw-licence.ts'
import { LICENCE, specimen } from '../../test/media.ts'
import { readBarcode } from '../barcode/read-barcode.ts'
import type { CheckResult } from '../check.ts'
import { createFaceApiEngine } from '../faces/face-api/face-api-engine.ts'
import type { FaceEngine } from '../faces/face-engine.ts'
import { type OpenedImage, openImage } from '../image/open-image.ts'
import type { Place } from '../image/place.ts'
import { toRgbPicture } from '../image/rgb-picture.ts'
import type { Point } from '../image/turn.ts'
import { readMrz } from '../mrz/read-mrz.ts'
import { createPageReader, type PageReader } from '../ocr/page-reader.ts'
import { BUILT_IN_TEMPLATES } from '../templates/built-in.ts'
import { type Findings, NO_FINDINGS } from './job.ts'
import { KeptSides } from './kept-sides.ts'
import { runStep } from './run-step.ts'
import { STEP_NAMES, type StepName } from './steps.ts'

let folder: string
let reader: PageReader
let engine: FaceEngine
beforeAll(async () => {
  // For the masks.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-turned-'))
  reader = await createPageReader()
  engine = await createFaceApiEngine()
  const draw = await createLicenceDrawer()
  await writeFile(path.join(folder, 'licence.png'), await draw(LICENCE))
})
afterAll(async () => {
  await reader?.[Symbol.asyncDispose]()
  await engine?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Turns a picture clockwise without encoding it again, so that only the turn differs. */
async function turned(file: string, degrees: number): Promise<string> {
  const into = path.join(folder, `${degrees}-${path.basename(file, path.extname(file))}.png`)
  await sharp(file).rotate(degrees).png().toFile(into)
  return into
}

/** Steps that judge a document; how it lies is nothing to those that judge the video alone. */
const DOCUMENT_STEPS = STEP_NAMES.filter((step) => step !== 'video_motion' && step !== 'liveness')

let count = 0
async function check(sides: readonly string[], degrees: number, steps: readonly StepName[] = DOCUMENT_STEPS) {
  const [frontImage = '', backImage = null] = await Promise.all(sides.map((side) => turned(side, degrees)))
  const verification = String(count++)
  const files = { frontImage, backImage, livenessVideo: specimen('liveness.mp4'), referencePortrait: null }
  const kept = new KeptSides()
  let findings: Findings = NO_FINDINGS
  const results: CheckResult[] = []
  for (const step of steps) {
    const output = await runStep(step, {
      verification,
      files,
      today: '2026-11-21',
      findings,
      templates: BUILT_IN_TEMPLATES,
      engines: async () => ({ face: engine, liveness: null }),
      pageReader: async () => reader,
      openSide: (file) => kept.open(verification, file),
    })
    findings = { ...findings, ...output.findings }
    results.push(...output.results)
  }
  return { results, findings, frontImage, backImage }
}

/** Pictures are encoded again on entry, which blurs other letters of a blurred zone, so its code is left out unless it was read. */
const codesOf = (results: readonly CheckResult[]) =>
  Object.fromEntries(
    results.map(({ check: name, outcome, code }) => [
      name,
      name === 'mrz_checks' && outcome === 'warning' ? outcome : `${outcome}: ${code}`,
    ]),
  )

/** Returns the places by name, with their corners in shares of the picture as it is before it is turned. */
const placesOf = (results: readonly CheckResult[], degrees: number) =>
  new Map(
    results.flatMap(({ check: name, places = [] }) =>
      places.map((place) => [`${name} ${place.artifact} ${place.what}`, beforeTurn(place, degrees)] as const),
    ),
  )

function beforeTurn({ corners, width, height }: Place, degrees: number): readonly Point[] {
  let points: readonly Point[] = corners.map(({ x, y }) => ({ x: x / width, y: y / height }))
  for (let turn = degrees; turn % 360 !== 0; turn += 90)
    points = points.map(({ x, y }) => ({ x: 1 - y, y: x }))
  return points
}

/** Paints all of a picture white but a place. */
async function showOnly(file: string, { corners }: Place): Promise<OpenedImage> {
  const { jpeg, width, height } = await openImage(await readFile(file))
  const points = corners.map(({ x, y }) => `${x},${y}`).join(' ')
  const mask = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="white" fill-rule="evenodd" d="M0 0H${width}V${height}H0Z M${points}Z"/></svg>`,
  )
  return openImage(
    await sharp(jpeg)
      .composite([{ input: mask }])
      .jpeg({ quality: 95 })
      .toBuffer(),
  )
}

const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  passport: [specimen('passport.jpg')],
  'expired passport': [specimen('passport-expired.jpg')],
  'passport on a screen': [specimen('passport-on-screen.jpg')],
  'blurred passport': [specimen('passport-blurred.jpg')],
  card: [specimen('card-front.jpg'), specimen('card-back.jpg')],
  'citizenship card': [specimen('citizenship-front.jpg'), specimen('citizenship-back.jpg')],
  'picture of a face': [specimen('person.jpg')],
}

/** Documents of whose front something is read that shows how it lies. */
const READABLE = ['passport', 'card', 'citizenship card']

describe('a document that lies on its side', { tags: 'ffmpeg' }, () => {
  // Usually `identity-engines.e2e.ts` sees that one passport is judged alike, and this file where its parts are.
  const tried = thorough({ usual: [], long: Object.keys(DOCUMENTS) })

  test.each(tried)('is judged as if it were upright: %s', { timeout: 300_000 }, async (name) => {
    const sides = DOCUMENTS[name] ?? []
    const upright = await check(sides, 0)
    const expected = placesOf(upright.results, 0)
    for (const degrees of thorough({ usual: [90], long: [90, 180, 270] })) {
      const { results, findings } = await check(sides, degrees)
      expect(codesOf(results)).toEqual(codesOf(upright.results))
      if (READABLE.includes(name)) expect(findings.frontTurnDegrees).toBe((360 - degrees) % 360)
      const places = placesOf(results, degrees)
      expect([...places.keys()]).toEqual([...expected.keys()])
      for (const [place, corners] of places)
        for (const [index, corner] of corners.entries()) {
          const other = expected.get(place)?.[index] ?? { x: Number.NaN, y: Number.NaN }
          expect(Math.hypot(corner.x - other.x, corner.y - other.y), place).toBeLessThan(0.03)
        }
    }
  })

  test('has its zone, its face and its fields where the checks say', { timeout: 300_000 }, async () => {
    const steps = ['mrz_checks', 'printed_fields', 'faces'] as const
    const { results, frontImage } = await check(DOCUMENTS['passport'] ?? [], 90, steps)
    const shown = async (what: string) => {
      const place = results.flatMap(({ places = [] }) => places).find((one) => one.what === what)
      if (place === undefined) throw new Error(`There is no place of ${what}`)
      return showOnly(frontImage, place)
    }
    const reading = await readMrz(await shown('zone'))
    expect(reading?.mrz).toMatchObject({ documentNumber: 'L898902C3', valid: true })
    const { faces } = await engine.detect([await toRgbPicture(await shown('face'), 270)])
    expect(faces[0]).toHaveLength(1)
    const fields: readonly [string, string][] = [
      ['given_names', 'ANNA MARIA'],
      ['surname', 'ERIKSSON'],
      ['document_number', 'L898902C3'],
    ]
    for (const [what, words] of fields.slice(0, thorough({ usual: 1, long: 3 })))
      expect((await reader.read(await shown(what), 270)).text.trim()).toBe(words)
  })

  test('has its barcode where the check says', async () => {
    const { results, frontImage } = await check([path.join(folder, 'licence.png')], 90, ['barcode'])
    const [place] = results.find(({ check: name }) => name === 'barcode')?.places ?? []
    if (place === undefined) throw new Error('No barcode was found')
    expect((await readBarcode(await showOnly(frontImage, place)))?.text).toBe(LICENCE)
  })
})
