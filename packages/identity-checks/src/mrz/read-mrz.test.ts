import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { openImage } from '../image/open-image.ts'
import { checkExpiry, checkMrz } from './check-mrz.ts'
import { readMrz } from './read-mrz.ts'

const specimen = (name: string) => readFile(path.resolve(import.meta.dirname, '../../specimens', name))
const read = async (image: Sharp) => readMrz(await openImage(await image.jpeg({ quality: 80 }).toBuffer()))

const PASSPORT = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F3204153<<<<<<<<<<<<<<04',
]
const CARD = [
  'I<UTOL898902C36<<<<<<<<<<<<<<<',
  '7408122F3204153UTO<<<<<<<<<<<4',
  'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
]

const HARDSHIPS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  none: (image) => image,
  'turned by 90 degrees': (image) => image.rotate(90),
  'upside down': (image) => image.rotate(180),
  'turned by 270 degrees': (image) => image.rotate(270),
  'tilted by 5 degrees': (image) => image.rotate(5, { background: '#555' }),
  blurred: (image) => image.blur(1.8),
  'half as large': (image) => image.resize({ width: 800 }),
  dark: (image) => image.modulate({ brightness: 0.4 }),
}

describe.each([
  ['passport.jpg', PASSPORT],
  ['card-back.jpg', CARD],
])('%s', (name, lines) => {
  test.each(Object.keys(HARDSHIPS))('is read exactly: %s', { timeout: 20_000 }, async (hardship) => {
    const make = HARDSHIPS[hardship]
    const reading = await read(make ? make(sharp(await specimen(name))) : sharp(await specimen(name)))
    expect(reading?.mrz).toMatchObject({ lines, valid: true })
    expect(reading?.confidence).toBeGreaterThan(0.9)
  })
})

test('what has none has none, and what cannot be read is doubtful', { timeout: 20_000 }, async () => {
  const open = async (name: string) => openImage(await specimen(name))
  expect((await checkMrz([await open('card-front.jpg')])).result).toMatchObject({
    outcome: 'warning',
    code: 'mrz_not_found',
  })
  const blurred = await checkMrz([await open('passport-blurred.jpg')])
  expect(blurred).toMatchObject({ result: { outcome: 'warning' }, read: null })
  const both = await checkMrz([await open('card-front.jpg'), await open('card-back.jpg')])
  expect(both).toMatchObject({ result: { outcome: 'passed', code: 'mrz_valid' }, read: { format: 'TD1' } })
})

test('two wrong characters that fit the check digit together are not taken as read', async () => {
  // XH33F1266 is read as IHI3F1266; from `pnpm bench mrz 110`.
  const image = await openImage(await readFile(path.join(import.meta.dirname, 'misread.jpg')))
  const { result, read: misread } = await checkMrz([image])
  expect(misread?.documentNumber).toBe('IHI3F1266')
  expect(result).toMatchObject({ outcome: 'warning', evidence: { wrong_check_digits: 0 } })
})

test('a document is expired from the day after the one it names', async () => {
  const { read: mrz } = await checkMrz([await openImage(await specimen('passport.jpg'))])
  expect(checkExpiry(mrz, '2032-04-15')).toMatchObject({ outcome: 'passed' })
  expect(checkExpiry(mrz, '2032-04-16')).toMatchObject({ outcome: 'failed', code: 'document_expired' })
  expect(checkExpiry(null, '2032-04-16')).toMatchObject({ outcome: 'not_run' })
})
