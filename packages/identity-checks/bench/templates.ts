/**
 * `pnpm bench templates`: how many citizenship cards of people who do not exist are read by the built-in template, and how many
 * wrongly, as drawn and spoiled. The cards are drawn by us, with Noto Sans Devanagari, after the layout of printed ones: no real
 * card was measured, and handwritten ones are not read.
 *
 * Half of the people sent the front only. `right` means that all fields are right, `wrong` that at least one of a card that passed is not;
 * the others go to a reviewer. `pnpm bench templates 3 10` draws three cards of each kind of the set that the limits were set on, and ten
 * of the held-out set.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { drawCards } from '../scripts/drawn-people.ts'
import { createRandom } from '../scripts/random.ts'
import { type GreyImage, openImage } from '../src/image/open-image.ts'
import { BUILT_IN_TEMPLATES } from '../src/templates/built-in.ts'
import type { TemplateFields } from '../src/templates/check-template.ts'
import { readSides } from '../src/runner/read-template.ts'
import { openFile } from '../src/runner/take-pictures.ts'
import { HARDSHIPS } from './sets/hardships.ts'
import { SEEDS, type SetName, SETS } from './sets/seeds.ts'
import { describeBound } from './sets/upper-bound.ts'

const [tuning = 2, heldOut = 10] = process.argv.slice(2).map(Number)
const TODAY = '2026-11-23'
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-templates-'))

/** Besides those that a zone can be read under: some under which nobody can read the print. */
const KINDS: readonly (typeof HARDSHIPS)[number][] = [
  ...HARDSHIPS,
  ...[4, 6, 10].map((pixels) => ({
    name: `blurred by ${pixels} pixels`,
    spoil: ({ data, width, height }: GreyImage) =>
      raw(sharp(data, { raw: { width, height, channels: 1 } }).blur(pixels)),
  })),
  {
    name: 'JPEG of quality 3',
    jpegQuality: 3,
    spoil: (picture) => picture,
  },
  {
    name: '300 pixels wide',
    spoil: ({ data, width, height }) =>
      raw(sharp(data, { raw: { width, height, channels: 1 } }).resize({ width: 300 })),
  },
]

async function raw(image: Sharp): Promise<GreyImage> {
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

interface Total {
  cards: number
  right: number
  wrong: number
  ms: number[]
}

async function readSet(set: SetName, each: number): Promise<void> {
  const totals = new Map<string, Total>()
  const random = createRandom(SEEDS[set].spoiling)
  let index = 0
  for await (const { person, pngs } of drawCards(each * KINDS.length, { seed: SEEDS[set].people })) {
    const kind = KINDS[index++ % KINDS.length]
    if (kind === undefined) continue
    const files: string[] = []
    const sides = index % 2 === 0 ? pngs.slice(0, 1) : pngs
    for (const png of sides) {
      const picture = await raw(sharp(Buffer.from(png, 'base64')).flatten().greyscale())
      const { data, width, height } = await kind.spoil(picture, { random, zoneTop: 0.8 })
      const spoiled = sharp(data, { raw: { width, height, channels: 1 } })
      const { jpeg } = await openImage(await spoiled.jpeg({ quality: kind.jpegQuality ?? 85 }).toBuffer())
      const file = path.join(folder, `side-${files.length}.jpg`)
      await writeFile(file, jpeg)
      files.push(file)
    }
    const [, backImage = null] = files
    const start = process.cpuUsage()
    const opened = await Promise.all(files.map(openFile))
    const { result, read, readings } = await readSides(opened, {
      templates: BUILT_IN_TEMPLATES,
      today: TODAY,
    })
    const { user, system } = process.cpuUsage(start)
    const expected: Partial<TemplateFields> = {
      document_number: person.number,
      full_name: backImage === null ? person.nepaliName.normalize('NFC') : person.englishName,
      date_of_birth: person.gregorianBirth,
      sex: person.sex,
    }
    const isRight = Object.entries(expected).every(
      ([name, value]) => read?.[name as keyof TemplateFields] === value,
    )
    const total = totals.get(kind.name) ?? { cards: 0, right: 0, wrong: 0, ms: [] }
    totals.set(kind.name, total)
    total.cards++
    total.ms.push((user + system) / 1000)
    if (isRight) total.right++
    if (read !== null && !isRight) total.wrong++
    if (process.env['VAANI_BENCH_SHOW'] !== undefined && !isRight)
      console.error(kind.name, result.code, JSON.stringify(read ?? readings), JSON.stringify(expected))
  }
  report(set, totals)
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

function report(set: SetName, totals: ReadonlyMap<string, Total>): void {
  console.log(`\n${SETS[set]}:\n\n| cards | right | to a reviewer | wrong | ms of processor, median |`)
  console.log('| --- | --- | --- | --- | --- |')
  for (const [name, { cards, right, wrong, ms }] of totals)
    console.log(
      `| ${name} | ${right} of ${cards} | ${cards - right - wrong} | ${wrong} | ${Math.round(median(ms))} |`,
    )
  const all = [...totals.values()]
  const sum = (key: 'cards' | 'right' | 'wrong') => all.reduce((count, one) => count + one[key], 0)
  console.log(
    `\n${sum('right')} of ${sum('cards')} cards were read right, and ${sum('wrong')} wrong. With 95 % confidence, of those that are read ` +
      `${describeBound(sum('wrong'), sum('right') + sum('wrong'))} are wrong.`,
  )
}

if (tuning > 0) await readSet('tuning', tuning)
if (heldOut > 0) await readSet('heldOut', heldOut)
await rm(folder, { recursive: true })
