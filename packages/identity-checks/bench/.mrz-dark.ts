/**
 * `pnpm bench mrz`: how many machine-readable zones are read, of passports and cards of random people whose pictures are
 * spoiled in known ways, and how many are accepted though they are wrong. Needs the font OCR-B (Debian: fonts-ocr-b).
 * The documents are drawn in another process, as this one reads no SVG.
 */
import sharp, { type Sharp } from 'sharp'
import { openImage } from '../src/image/open-image.ts'
import { checkMrz } from '../src/mrz/check-mrz.ts'
import { drawPeople } from '../scripts/drawn-people.ts'

/** `pnpm bench mrz 120` takes more of them: the bound on false accepts is as good as their number. */
const DOCUMENTS = 110
let seed = 20_261_121
const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32

const background = '#5b4a3a'
/** By what a picture is spoiled. */
const HARDSHIPS: Readonly<Record<string, (image: Sharp) => Sharp>> = { dark: (image) => image.modulate({ brightness: 0.3 }) }
const totals = new Map(
  Object.keys(HARDSHIPS).map((name) => [name, { read: 0, accepted: 0, wrong: 0, ms: [] as number[] }]),
)
for await (const { lines, png } of drawPeople(DOCUMENTS))
  for (const [name, spoil] of Object.entries(HARDSHIPS)) {
    const spoiled = await spoil(sharp(Buffer.from(png, 'base64')).flatten()).toBuffer()
    const jpeg = await sharp(spoiled)
      .jpeg({ quality: name.startsWith('JPEG') ? 15 : 85 })
      .toBuffer()
    const image = await openImage(jpeg)
    const startMs = performance.now()
    const { result, read } = await checkMrz([image])
    const total = totals.get(name)
    if (total === undefined) continue
    total.ms.push(performance.now() - startMs)
    const isRight = read?.lines.join() === lines.join()
    const isAccepted = result.outcome === 'passed'
    if (isRight) total.read++
    if (isAccepted) total.accepted++
    if (isAccepted && !isRight) { total.wrong++; console.log(name, lines.join('\n'), '\n', read?.lines.join('\n'), JSON.stringify(result)) }
  }
console.log(`${DOCUMENTS} documents of random people, half of them passports`)
console.table(
  [...totals].map(([hardship, { read, accepted, wrong, ms }]) => ({
    hardship,
    'read exactly': `${read} of ${DOCUMENTS}`,
    accepted,
    'accepted, but wrong': wrong,
    'ms, median': Math.round(ms.toSorted((a, b) => a - b)[ms.length >> 1] ?? 0),
  })),
)
