import { createRequire } from 'node:module'
import sharp from 'sharp'
import { thorough } from '@vaani/test-services/thorough'
import { beforeAll, expect, test } from 'vitest'
import type { GreyImage } from '../image/open-image.ts'
import { createRandom } from '../../scripts/random.ts'
import { samplePage } from './foreign-script.ts'
import { readUpright } from './read-upright.ts'

/** From the Universal Declaration of Human Rights. */
const RUSSIAN = [
  'Все люди рождаются свободными и равными в своем',
  'достоинстве и правах. Они наделены разумом и совестью',
  'и должны поступать в отношении друг друга в духе',
  'братства. Каждый человек должен обладать всеми правами',
  'и всеми свободами, провозглашенными настоящей',
  'Декларацией, без какого бы то ни было различия, как-то',
  'в отношении расы, цвета кожи, пола, языка, религии,',
  'политических или иных убеждений, национального или',
  'социального происхождения, имущественного, сословного',
  'или иного положения. Кроме того, не должно проводиться',
  'никакого различия на основе политического, правового',
  'или международного статуса страны или территории, к',
  'которой человек принадлежит, независимо от того,',
  'является ли эта территория независимой, подопечной.',
]
const ENGLISH = [
  'The tenant shall pay the rent on the first day of each',
  'month to the account that the landlord has named, and',
  'shall keep the flat in good order. The landlord shall',
  'repair what is damaged by age within four weeks after',
  'notice in writing. Neither party may end this contract',
  'before the end of the first year, unless the other one',
  'has broken a duty that is named in it. The deposit is',
]
const LETTERHEAD = 'Kestrel Clinic, 14 Harbour Road, Telephone 555 0139'

beforeAll(() => sharp.unblock({ operation: ['VipsForeignLoadSvg'] }))

async function draw(
  lines: readonly string[],
  turnDegrees = 0,
  style = 'font-family="DejaVu Serif" font-size="32"',
): Promise<GreyImage> {
  const texts = lines.map((line, index) => `<text x="60" y="${100 + index * 56}">${line}</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="${140 + lines.length * 56}"
    ${style}><rect width="100%" height="100%" fill="white"/>${texts.join('')}</svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .rotate(turnDegrees)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

test.each(thorough({ usual: [180], long: [0, 180] }))(
  'a page in another script, turned by %i degrees, is not read',
  async (degrees) => {
    const page = await draw(RUSSIAN, degrees)
    expect(await readUpright(page, ['eng'], { isTurned: true })).toMatchObject({
      blocks: [],
      error: {
        code: 'other_script',
        message:
          'is in the script Cyrillic, which this server cannot read; it needs @tesseract.js-data/rus for ru, or @tesseract.js-data/ukr for uk',
      },
    })
  },
)

test.each(thorough({ usual: [0], long: [0, 180] }))(
  'a page with a line that can be read, turned by %i degrees, is read',
  async (degrees) => {
    expect(await samplePage(await draw([LETTERHEAD, ...RUSSIAN], degrees), ['eng'])).not.toHaveProperty(
      'error',
    )
  },
)

const GREEK = [
  'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην',
  'αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με',
  'λογική και συνείδηση, και οφείλουν να συμπεριφέρονται',
  'μεταξύ τους με πνεύμα αδελφοσύνης.',
]

test.each<[string, string[], string]>([
  ['Greek', GREEK, 'it needs @tesseract.js-data/ell for el'],
  ...thorough<[string, string[], string][]>({
    usual: [],
    long: [['Cyrillic', RUSSIAN.slice(0, 3), 'it needs @tesseract.js-data/rus for ru']],
  }),
])('a page of a few lines in %s is not read', async (script, lines, remedy) => {
  const page = await draw(lines)
  const { blocks, error } = await readUpright(page, ['eng'], { isTurned: true })
  expect(blocks).toEqual([])
  expect(error?.message).toContain(`is in the script ${script}`)
  expect(error?.message).toContain(remedy)
})

/** Draws lines in Devanagari, or in another script that the font has. */
async function drawDevanagari(text: string): Promise<GreyImage> {
  const fontfile = createRequire(import.meta.url).resolve(
    '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  )
  const margin = { top: 60, bottom: 60, left: 60, right: 60 }
  const { data, info } = await sharp({ text: { text, font: 'Noto Sans Devanagari 32', fontfile } })
    .extend({ ...margin, background: 'black' })
    .negate()
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

test('a page of a few lines in an installed script is not read in another', async () => {
  const page = await drawDevanagari('बिल नम्बर ४५१२ मिति १२ चैत\nजम्मा तिर्नुपर्ने रकम ४५० रुपैयाँ')
  expect(await readUpright(page, ['eng'], { isTurned: true })).toMatchObject({
    blocks: [],
    error: { message: 'is in the script Devanagari, not in that of the language; send language=hi or ne' },
  })
  expect(await readUpright(page, ['nep'], { isTurned: true })).not.toHaveProperty('error')
})

test('a page of a few lines, one of which is in the script of the language, is read', async () => {
  const page = await drawDevanagari(
    'नेपाल सरकार\nGovernment of Nepal, Ministry of Home Affairs\nDepartment of Passports, Kathmandu',
  )
  expect(await readUpright(page, ['nep'], { isTurned: true })).not.toHaveProperty('error')
})

const LICENCE = [
  'GOVERNMENT OF NEPAL',
  'DRIVING LICENSE',
  'D.L.No.: 03-06-00123456',
  'Name: SITA MAYA RAI',
  'Address: Lakeside-6, Pokhara, Kaski',
  'D.O.B.: 12-04-1990',
  'Citizenship No.: 27-01-70-01234',
]

test.each<[string, string[], number]>([
  ['a licence', LICENCE, 90],
  ...thorough<[string, string[], number][]>({
    usual: [],
    long: [
      ['a line', LICENCE.slice(4, 5), 270],
      ['three lines', ENGLISH.slice(0, 3), 180],
      ['two licences', [...LICENCE, ...LICENCE], 0],
    ],
  }),
])(
  '%s in Latin letters, turned by some degrees, is read with the data of English',
  async (_, lines, degrees) => {
    const { blocks, error } = await readUpright(await draw(lines, degrees), ['nep'], { isTurned: true })
    expect(error).toBeUndefined()
    expect(blocks.flatMap((block) => block.lines).map(({ text }) => text)).toEqual(lines)
  },
)

test.each<[string, string[]]>([
  ...thorough<[string, string[]][]>({
    usual: [],
    long: [
      ['words', ENGLISH.slice(0, 2)],
      ['a label', ['SKU 4471-B', 'Net 2.40 kg', 'Batch L0387']],
    ],
  }),
  ['numbers', ['5601 2345 6789 0689', '88.00 120.50 417.25']],
  ['a letterhead above another script', [LETTERHEAD, ENGLISH[0] ?? '', RUSSIAN[0] ?? '']],
])('a page of a few lines with %s is read', async (_, lines) => {
  const { blocks, error } = await readUpright(await draw(lines), ['eng'], { isTurned: true })
  expect(error).toBeUndefined()
  expect(blocks.flatMap((block) => block.lines)).toHaveLength(lines.length)
})

test.each<[string, number, string[]]>([
  [
    'Nimbus Mono PS',
    44,
    ['I<NPLD231458907<<<<<<<<<<<<<<<', '7408122F1204159NPL<<<<<<<<<<<6', 'RAI<<SITA<MAYA<<<<<<<<<<<<<<<<'],
  ],
  ...thorough<[string, number, string[]][]>({
    usual: [],
    long: [
      [
        'DejaVu Sans Mono',
        28,
        ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<10'],
      ],
    ],
  }),
])('a machine-readable zone in %s is not taken for another script', async (font, size, lines) => {
  const escaped = lines.map((line) => line.replaceAll('<', '&lt;'))
  const page = await draw(escaped, 0, `font-family="${font}" font-size="${size}"`)
  expect(await readUpright(page, ['eng'], { isTurned: true })).not.toHaveProperty('error')
})

test('a page of a few lines that are too blurred to be read is not taken for another script', async () => {
  const { data, width, height } = await draw(ENGLISH)
  const blurred = await sharp(data, { raw: { width, height, channels: 1 } })
    .blur(6)
    .raw()
    .toBuffer()
  const { error } = await readUpright({ data: blurred, width, height }, ['eng'], { isTurned: true })
  expect(error).toBeUndefined()
})

test('a page of words and of digits that are others upside down is turned', async () => {
  const random = createRandom(5)
  const serial = () => Array.from({ length: 5 }, () => '0689'[Math.floor(random() * 4)]).join('')
  const lines = Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0 ? (ENGLISH[index / 2] ?? '') : Array.from({ length: 6 }, serial).join(' '),
  )
  expect(await readUpright(await draw(lines, 180), ['eng'], { isTurned: true })).toMatchObject({
    rotation: 180,
  })
})
