/**
 * `pnpm bench mrz`: how many machine-readable zones of all five formats are read exactly, how many are accepted although wrong,
 * and how long a picture takes, on spoiled pictures of documents of random people. Needs the font OCR-B (Debian: fonts-ocr-b). The
 * documents are drawn in another process, because this one blocks SVG.
 *
 * Each document has one picture, so that readings are independent. The held-out set has other seeds than the tuning set, and no
 * threshold was set by it; whoever does so gives it new seeds (`bench/sets/seeds.ts`). Both sets share the font, the kinds of documents and
 * the ways to spoil them, and all are drawn: this says nothing about real documents or cameras.
 *
 * 115 documents have every hardship in every format. `pnpm bench mrz 115 3220` reads 115 documents of the tuning set and 3,220 of the
 * held-out set, which bound the false accepts; `pnpm bench mrz 0 3220` reads only the latter, and takes half an hour.
 */
import sharp from 'sharp'
import { drawPeople } from '../scripts/drawn-people.ts'
import { createRandom } from '../scripts/random.ts'
import { type GreyImage, openImage } from '../src/image/open-image.ts'
import { checkMrz } from '../src/mrz/check-mrz.ts'
import { HARDSHIPS } from './sets/hardships.ts'
import { SEEDS, type SetName, SETS } from './sets/seeds.ts'
import { describeBound } from './sets/upper-bound.ts'

const [tuning = 115, heldOut = 115] = process.argv.slice(2).map(Number)
const FORMATS = 5

interface Total {
  documents: number
  read: number
  accepted: number
  wrong: number
  ms: number[]
  readonly codes: Map<string, number>
}
const emptyTotal = (): Total => ({
  documents: 0,
  read: 0,
  accepted: 0,
  wrong: 0,
  ms: [],
  codes: new Map(),
})

async function readPng(png: string): Promise<GreyImage> {
  const drawn = sharp(Buffer.from(png, 'base64')).flatten().greyscale().raw()
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

async function readSet(set: SetName, documents: number) {
  const [byHardship, byFormat] = [new Map<string, Total>(), new Map<string, Total>()]
  const random = createRandom(SEEDS[set].spoiling)
  let index = 0
  for await (const drawn of drawPeople(documents, { seed: SEEDS[set].people, formats: 'all' })) {
    const hardship = HARDSHIPS[Math.floor(index++ / FORMATS) % HARDSHIPS.length]
    if (hardship === undefined) continue
    const { zoneTop, lines, format } = drawn
    const { data, width, height } = await hardship.spoil(await readPng(drawn.png), { random, zoneTop })
    const picture = sharp(data, { raw: { width, height, channels: 1 } })
    const image = await openImage(await picture.jpeg({ quality: hardship.jpegQuality ?? 85 }).toBuffer())
    const start = process.cpuUsage()
    const { result, read } = await checkMrz([image])
    const { user, system } = process.cpuUsage(start)
    const isRight = read?.lines.join() === lines.join()
    const isAccepted = result.outcome === 'passed'
    const totals = [
      totalOf(byHardship, hardship.name),
      ...(hardship.hidesZone ? [] : [totalOf(byFormat, format)]),
    ]
    for (const total of totals) {
      total.documents++
      total.ms.push((user + system) / 1000)
      total.codes.set(result.code, (total.codes.get(result.code) ?? 0) + 1)
      if (isRight) total.read++
      if (isAccepted) total.accepted++
      if (isAccepted && !isRight) total.wrong++
    }
    // A long run shows how far it is.
    if (index % (FORMATS * HARDSHIPS.length) === 0 && index < documents) {
      process.stderr.write(`after ${index} documents: ${summarize(set, byHardship, byFormat)}\n`)
    }
  }
  console.log(`${SETS[set]}:`)
  console.table(toTable(byHardship))
  console.table(toTable(byFormat))
  console.log(summarize(set, byHardship, byFormat))
}

function totalOf(totals: Map<string, Total>, name: string): Total {
  const total = totals.get(name) ?? emptyTotal()
  totals.set(name, total)
  return total
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`

function toTable(totals: ReadonlyMap<string, Total>) {
  return [...totals].map(([name, { documents, read, accepted, wrong, ms, codes }]) => ({
    name,
    'read exactly': `${read} of ${documents}`,
    accepted,
    'accepted, but wrong': wrong,
    'refused for glare': codes.get('mrz_glare') ?? 0,
    'ms of processor, median': Math.round(median(ms)),
  }))
}

function summarize(
  set: SetName,
  byHardship: ReadonlyMap<string, Total>,
  byFormat: ReadonlyMap<string, Total>,
): string {
  const all = [...byFormat.values()]
  const sum = (key: 'documents' | 'read') => all.reduce((total, one) => total + one[key], 0)
  const allAccepted = [...byHardship.values()].reduce((total, { accepted }) => total + accepted, 0)
  const wrong = [...byHardship.values()].reduce((total, one) => total + one.wrong, 0)
  const ms = all.flatMap((total) => total.ms)
  const counts =
    `${sum('read')} of ${sum('documents')} legible zones were read exactly (${percent(sum('read'), sum('documents'))}), in ` +
    `${Math.round(median(ms))} ms of processor (median). Of ${allAccepted} accepted ${wrong} were wrong.`
  // Bounds on the tuning set would only show how well thresholds fit the set that they were set on.
  return set === 'tuning'
    ? counts
    : `${counts}\nFalse accepts, with 95 % confidence: ${describeBound(wrong, allAccepted)} that are accepted.`
}

if (tuning > 0) await readSet('tuning', tuning)
if (heldOut > 0) await readSet('heldOut', heldOut)
