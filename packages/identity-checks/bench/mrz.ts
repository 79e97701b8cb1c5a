/**
 * `pnpm bench mrz`: how many machine-readable zones are read exactly, and how many are accepted although wrong, on degraded
 * pictures of passports and cards of random people. Needs the font OCR-B (Debian: fonts-ocr-b). The documents are drawn in
 * another process, because this one blocks SVG.
 *
 * `pnpm bench mrz 110 300` reads 110 documents of the set that thresholds were set on, and 300 of the held-out set, which bound
 * the false accepts: more documents give a tighter bound, at about eleven seconds each. `pnpm bench mrz 0 300` reads only the
 * held-out set.
 */
import sharp, { type Sharp } from 'sharp'
import { drawPeople } from '../scripts/drawn-people.ts'
import { createRandom } from '../scripts/random.ts'
import { openImage } from '../src/image/open-image.ts'
import { checkMrz } from '../src/mrz/check-mrz.ts'
import { SEEDS, type SetName, SETS } from './sets/seeds.ts'
import { describeBound } from './sets/upper-bound.ts'

const [tuning = 20, heldOut = 10] = process.argv.slice(2).map(Number)

const background = '#5b4a3a'
/** The degradations of a picture. */
const HARDSHIPS: Readonly<Record<string, (image: Sharp, random: () => number) => Sharp>> = {
  'as drawn': (image) => image,
  'blurred by 2 pixels': (image) => image.blur(2),
  'turned by 90 degrees': (image) => image.rotate(90),
  'upside down': (image) => image.rotate(180),
  'tilted by 5 degrees': (image) => image.rotate(5, { background }),
  'tilted by 9 degrees': (image) => image.rotate(9, { background }),
  'half as large': (image) => image.resize({ width: 600 }),
  '450 pixels wide': (image) => image.resize({ width: 450 }),
  'JPEG of quality 15': (image) => image.jpeg({ quality: 15 }),
  dark: (image) => image.modulate({ brightness: 0.3 }),
  'all at random': (image, random) =>
    image
      .rotate((random() - 0.5) * 14, { background })
      .resize({ width: Math.round(600 + random() * 900) })
      .blur(0.3 + random() * 1.5)
      .modulate({ brightness: 0.4 + random() * 0.7 })
      .jpeg({ quality: 70 }),
}

interface Total {
  read: number
  accepted: number
  wrong: number
  ms: number[]
}

async function spoil(png: Buffer, hardship: string, random: () => number): Promise<Buffer> {
  const make = HARDSHIPS[hardship]
  const drawn = sharp(png).flatten()
  const spoiled = await (make ? make(drawn, random) : drawn).toBuffer()
  return sharp(spoiled)
    .jpeg({ quality: hardship.startsWith('JPEG') ? 15 : 85 })
    .toBuffer()
}

/** Documents between interim reports of a long run. */
const DOCUMENTS_PER_LINE = 50

async function readSet(set: SetName, documents: number) {
  const totals = new Map<string, Total>()
  const random = createRandom(SEEDS[set].spoiling)
  let [done, wrongDocuments] = [0, 0]
  for await (const { lines, png } of drawPeople(documents, { seed: SEEDS[set].people })) {
    let isAnyWrong = false
    for (const hardship of Object.keys(HARDSHIPS)) {
      const image = await openImage(await spoil(Buffer.from(png, 'base64'), hardship, random))
      const startMs = performance.now()
      const { result, read } = await checkMrz([image])
      const total = totals.get(hardship) ?? { read: 0, accepted: 0, wrong: 0, ms: [] }
      totals.set(hardship, total)
      total.ms.push(performance.now() - startMs)
      const isRight = read?.lines.join() === lines.join()
      const isAccepted = result.outcome === 'passed'
      if (isRight) total.read++
      if (isAccepted) total.accepted++
      if (!isAccepted || isRight) continue
      total.wrong++
      isAnyWrong = true
    }
    done++
    if (isAnyWrong) wrongDocuments++
    if (done % DOCUMENTS_PER_LINE === 0 && done < documents)
      report(set, { totals, documents: done, wrongDocuments })
  }
  console.table(
    [...totals].map(([hardship, { read, accepted, wrong, ms }]) => ({
      hardship,
      'read exactly': `${read} of ${documents}`,
      accepted,
      'accepted, but wrong': wrong,
      'ms, median': Math.round(ms.toSorted((a, b) => a - b)[ms.length >> 1] ?? 0),
    })),
  )
  report(set, { totals, documents, wrongDocuments })
}

function report(
  set: SetName,
  {
    totals,
    documents,
    wrongDocuments,
  }: { totals: ReadonlyMap<string, Total>; documents: number; wrongDocuments: number },
) {
  const sum = (key: 'read' | 'accepted' | 'wrong') =>
    [...totals.values()].reduce((all, total) => all + total[key], 0)
  const [read, accepted, wrong] = [sum('read'), sum('accepted'), sum('wrong')]
  console.log(
    `${SETS[set]}: ${documents * totals.size} readings of ${documents} documents, ${read} exact, ${accepted} accepted, ${wrong} of them wrong`,
  )
  // Bounds on the tuning set would only show how well thresholds fit the set that they were set on.
  if (set === 'heldOut')
    console.log(
      `false accepts, with 95 % confidence: ${describeBound(wrong, accepted)} readings, if the ${totals.size} of a document were ` +
        `independent; ${describeBound(wrongDocuments, documents)} documents with any`,
    )
}

if (tuning > 0) await readSet('tuning', tuning)
if (heldOut > 0) await readSet('heldOut', heldOut)
