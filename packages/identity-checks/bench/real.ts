/**
 * `pnpm bench real`: what is read and decided of documents and faces that strangers photographed. Nothing of them is in this repository. Needs
 * ffmpeg and the font OCR-B (Debian: fonts-ocr-b).
 *
 * `pnpm bench real --documents DIR --faces DIR` reads `DIR/documents.tsv`, whose columns are repository, path, file, what it is, the lines of the
 * zone joined by `|` (`-` without one) and the right outcome. A folder of faces has a folder for each person; `--faces` may be repeated.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { photograph } from '../scripts/camera.ts'
import { ANNA, drawPassport } from '../scripts/draw-specimen.ts'
import type { CheckResult } from '../src/check.ts'
import { decide, type DecisionResult } from '../src/decision/decide.ts'
import { DOCUMENT_AND_FACE_POLICY } from '../src/decision/policy.ts'
import type { DetectedFace } from '../src/faces/face-engine.ts'
import { createFaceApiEngine } from '../src/faces/face-api/face-api-engine.ts'
import { createCheckRunner } from '../src/runner/check-runner.ts'
import type { ReadDocument } from '../src/runner/job.ts'
import { listPhotographs, type Photograph } from './sets/portraits.ts'
import { upperBound } from './sets/upper-bound.ts'

const { documents, faces: sets = [] } = parseArgs({
  options: { documents: { type: 'string' }, faces: { type: 'string', multiple: true } },
}).values
/** Before any of the documents expired, because their owners were right when they were photographed. */
const THEN = '1990-01-01'
const TODAY = '2026-11-27'
/** Videos of the same person that are tried for each. */
const MOST_GENUINE = 3

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-real-'))
const temporary = (name: string) => path.join(folder, name)
const percent = (part: number, whole: number) =>
  `${part} of ${whole} (${whole === 0 ? '–' : ((100 * part) / whole).toFixed(1)} %)`
const table = (rows: readonly (readonly (string | number)[])[]) => {
  const [header = [], ...rest] = rows
  for (const row of [header, header.map(() => '-'), ...rest]) console.log(`| ${row.join(' | ')} |`)
  console.log()
}

{
  await using runner = createCheckRunner({ places: 2, engines: { face: 'face-api' } })
  const verify = async (frontImage: string, livenessVideo: string, today: string): Promise<Verified> => {
    const front = temporary(`opened-${path.basename(frontImage)}.jpg`)
    await runner.openImage({ owner: 'bench', file: frontImage, into: front })
    const results: CheckResult[] = []
    const read = await runner.run({
      owner: 'bench',
      files: { frontImage: front, backImage: null, livenessVideo, referencePortrait: null },
      today,
      tell: (result) => results.push(result),
    })
    // The server makes these itself, of the packets and of earlier verifications.
    const made = (['video_integrity', 'reused_media'] as const).map(passed)
    return { read, results, decision: decide([...results, ...made], DOCUMENT_AND_FACE_POLICY) }
  }
  if (documents !== undefined) await readDocuments(documents, verify)
  await comparePairs(sets)
  await verifyPeople(sets, verify)
}
await rm(folder, { recursive: true, force: true })

interface Verified {
  readonly read: ReadDocument
  readonly results: readonly CheckResult[]
  readonly decision: DecisionResult
}
type Verify = (frontImage: string, livenessVideo: string, today: string) => Promise<Verified>

function passed(check: CheckResult['check']): CheckResult {
  return { check, outcome: 'passed', code: 'made_elsewhere', score: 1, evidence: {}, model: null }
}

async function readDocuments(directory: string, verify: Verify): Promise<void> {
  const lines = (await readFile(path.join(directory, 'documents.tsv'), 'utf8')).trim().split('\n')
  const video = path.resolve(import.meta.dirname, '../specimens/liveness.mp4')
  const rows: (readonly string[])[] = [
    ['document', 'zone', 'print', 'today', 'other checks of the document that did not pass'],
  ]
  const counts = { legible: 0, exact: 0, wrong: 0, accused: 0, falseExpiry: 0 }
  for (const line of lines) {
    const [, , file = '', what = '', zone = '-'] = line.split('\t')
    if (!/\.(jpe?g|png)$/.test(file)) continue
    const then = await verify(path.join(directory, file), video, THEN)
    const today = await verify(path.join(directory, file), video, TODAY)
    const read = then.read.fields?.mrz?.lines.join('|') ?? null
    const known = zone.startsWith('(') ? null : zone
    if (known !== '-') counts.legible++
    const isExact = read !== null && (known === null || read === known)
    if (isExact) counts.exact++
    if (read !== null && !isExact) counts.wrong++
    const codeOf = (check: CheckResult['check'], { results } = then) =>
      results.find((one) => one.check === check)?.code ?? '–'
    if (/mismatch/.test(codeOf('printed_fields'))) counts.accused++
    if (codeOf('document_expiry') === 'document_expired') counts.falseExpiry++
    const open = then.results
      .filter(
        ({ check, outcome }) => check.startsWith('document_') && !['passed', 'not_run'].includes(outcome),
      )
      .map(({ code }) => code)
    rows.push([
      `${file}: ${what}`,
      read === null ? codeOf('mrz_checks') : isExact ? 'exact' : `wrong: ${read}`,
      codeOf('printed_fields'),
      codeOf('document_expiry', today),
      [...new Set(open)].join(', '),
    ])
  }
  console.log('## Documents\n')
  table(rows)
  console.log(
    `Zones read exactly ${percent(counts.exact, counts.legible)}, wrongly ${counts.wrong}; print held against a document: ${counts.accused}; declined as expired before it was: ${counts.falseExpiry}.\n`,
  )
}

/** Compares each photograph with each other one of its set, picture by picture. */
async function comparePairs(folders: readonly string[]): Promise<void> {
  await using engine = await createFaceApiEngine()
  const { match } = await engine.detect([])
  const pairs: { set: string; isSame: boolean; similarity: number }[] = []
  const found: (readonly [string, number, number])[] = []
  for (const set of folders) {
    const people: { person: string; face: DetectedFace }[] = []
    const photographs = await listPhotographs(set)
    for (const { person, file } of photographs) {
      const { data, info } = await sharp(file)
        .rotate()
        .resize({ width: 640, height: 640, fit: 'inside', withoutEnlargement: true })
        .removeAlpha()
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true })
      const [[face] = []] = (await engine.detect([{ data, width: info.width, height: info.height }])).faces
      if (face !== undefined) people.push({ person, face })
    }
    found.push([path.basename(set), people.length, photographs.length])
    for (const [index, one] of people.entries())
      for (const other of people.slice(index + 1))
        pairs.push({
          set: path.basename(set),
          isSame: one.person === other.person,
          similarity: engine.similarity(one.face, other.face),
        })
  }
  const same = pairs.filter(({ isSame }) => isSame)
  const others = pairs.filter(({ isSame }) => !isSame)
  const below = (limit: number) => same.filter(({ similarity }) => similarity < limit).length
  const from = (limit: number) => others.filter(({ similarity }) => similarity >= limit).length
  console.log('## Faces, picture by picture\n')
  table([
    ['set', 'faces found', 'pairs of one person', 'their least', 'pairs of two people', 'their most'],
    ...found.map(([set, count, of]) => {
      const [ones, twos] = [same, others].map((all) =>
        all.filter((pair) => pair.set === set).map(({ similarity }) => similarity),
      )
      const [least, most] = [Math.min(...(ones ?? [])), Math.max(...(twos ?? []))]
      return [
        set,
        percent(count, of),
        ones?.length ?? 0,
        least.toFixed(3),
        twos?.length ?? 0,
        most.toFixed(3),
      ]
    }),
  ])
  table([
    ['limit of similarity', 'one person below it', 'at most, 95 %', 'two people above it', 'at most, 95 %'],
    ...[match.warning, 0.4, 0.42, match.passed, 0.48, 0.5].map((limit) => [
      `${limit}${limit === match.passed ? ' (passes)' : limit === match.warning ? ' (fails below)' : ''}`,
      percent(below(limit), same.length),
      `${(100 * upperBound(below(limit), same.length)).toFixed(1)} %`,
      percent(from(limit), others.length),
      `${(100 * upperBound(from(limit), others.length)).toFixed(1)} %`,
    ]),
  ])
}

/** Sets a photograph into the drawn passport, and moves another one in a video, as no set has videos of its people. */
async function verifyPeople(folders: readonly string[], verify: Verify): Promise<void> {
  const photographs = (await Promise.all(folders.map(listPhotographs))).flat()
  const people = Map.groupBy(photographs, ({ person }) => person)
  const several = [...people.values()].filter((all) => all.length > 1)
  const genuine = several.flatMap(([document, ...rest]) =>
    rest.slice(0, MOST_GENUINE).flatMap((video) => (document ? [{ document, video }] : [])),
  )
  const everybody = [...people.values()].flatMap(([first]) => first ?? [])
  const impostors = everybody.flatMap((document, index) =>
    [1, 2].flatMap((step) => {
      const video = everybody[(index + step) % everybody.length]
      return video === undefined || video.person === document.person ? [] : [{ document, video }]
    }),
  )
  const outcomes = async (pairs: readonly { document: Photograph; video: Photograph }[], expiry: string) => {
    const all: string[] = []
    for (const { document, video } of pairs) {
      const { decision } = await verify(await passportOf(document, expiry), await videoOf(video), TODAY)
      const reasons = decision.reasons.map(({ code }) => code).toSorted()
      all.push([decision.decision, ...reasons].join(' '))
    }
    return all
  }
  const counted = (all: readonly string[]) =>
    [...Map.groupBy(all, (one) => one)].map(([one, { length }]) => `${length} × ${one}`).join('; ')
  const approved = (all: readonly string[]) =>
    percent(all.filter((one) => one === 'approved').length, all.length)
  const [right, wrong] = [await outcomes(genuine, ANNA.expiry), await outcomes(impostors, ANNA.expiry)]
  const expired = await outcomes(genuine.slice(0, 8), '120415')
  console.log(`## Decided by \`${DOCUMENT_AND_FACE_POLICY.name}\`\n`)
  table([
    ['in the passport and in the video', 'approved', 'at most, 95 %', 'decided'],
    ['one person, two photographs', approved(right), '', counted(right)],
    [
      'two people',
      approved(wrong),
      `${(100 * upperBound(wrong.filter((one) => one === 'approved').length, wrong.length)).toFixed(1)} %`,
      counted(wrong),
    ],
    ['one person, an expired passport', approved(expired), '', counted(expired)],
  ])
}

async function passportOf({ file }: Photograph, expiry: string): Promise<string> {
  const head = await sharp(file)
    .rotate()
    .resize(340, 440, { fit: 'contain', background: '#c9d3dd' })
    .jpeg({ quality: 92 })
    .toBuffer()
  const drawn = await drawPassport({ ...ANNA, expiry }, `data:image/jpeg;base64,${head.toString('base64')}`)
  const into = temporary('passport.jpg')
  await writeFile(into, await photograph(drawn))
  return into
}

async function videoOf({ file }: Photograph): Promise<string> {
  const still = temporary('still.jpg')
  await sharp(file)
    .rotate()
    .resize(640, 640, { fit: 'contain', background: '#8899aa' })
    .jpeg({ quality: 92 })
    .toFile(still)
  const video = temporary('video.mp4')
  const sway = "scale=720:720,crop=640:640:x='40+30*sin(t*2.1)':y='40+25*sin(t*1.3)',noise=alls=6:allf=t"
  const picture = ['-loop', '1', '-framerate', '15', '-i', still, '-t', '4', '-vf', sway]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', video])
  return video
}
