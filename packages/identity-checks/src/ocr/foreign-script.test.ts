import sharp from 'sharp'
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

async function draw(lines: readonly string[], turnDegrees = 0): Promise<GreyImage> {
  const texts = lines.map((line, index) => `<text x="60" y="${100 + index * 56}">${line}</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="${140 + lines.length * 56}"
    font-family="DejaVu Serif" font-size="32"><rect width="100%" height="100%" fill="white"/>${texts.join('')}</svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .rotate(turnDegrees)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

test.each([0, 180])('a page in another script, turned by %i degrees, is not read', async (degrees) => {
  const page = await draw(RUSSIAN, degrees)
  expect(await readUpright(page, ['eng'], { isTurned: true })).toMatchObject({
    blocks: [],
    error: {
      code: 'other_script',
      message:
        'is in the script Cyrillic, which this server cannot read; it needs @tesseract.js-data/rus for ru, or @tesseract.js-data/ukr for uk',
    },
  })
})

test.each([0, 180])('a page with a line that can be read, turned by %i degrees, is read', async (degrees) => {
  expect(await samplePage(await draw([LETTERHEAD, ...RUSSIAN], degrees), ['eng'])).not.toHaveProperty('error')
})

test('a page of a few lines is read', async () => {
  expect(await samplePage(await draw(RUSSIAN.slice(0, 8)), ['eng'])).not.toHaveProperty('error')
})

test('a page of words and of digits that are others upside down is turned', async () => {
  const random = createRandom(5)
  const serial = () => Array.from({ length: 5 }, () => '0689'[Math.floor(random() * 4)]).join('')
  const lines = Array.from({ length: 16 }, (_, index) =>
    index % 2 === 0 ? (ENGLISH[index / 2] ?? '') : Array.from({ length: 6 }, serial).join(' '),
  )
  expect(await readUpright(await draw(lines, 180), ['eng'], { isTurned: true })).toMatchObject({
    rotation: 180,
  })
})
