import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createLicenceDrawer } from '../../scripts/draw-licence.ts'
import { openImage } from '../image/open-image.ts'
import { checkBarcode } from './check-barcode.ts'
import { parseAamva } from './parse-aamva.ts'

/** The example of the AAMVA DL/ID Card Design Standard (2020), annex D. */
const LICENCE =
  '@\n\u001E\rANSI 636000100002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\nDCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102034\nDBC1\nDAU068 in\nDAYBRO\nDAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\rZVZVA01\r'

let card: Buffer
beforeAll(async () => {
  const draw = await createLicenceDrawer()
  card = await draw(LICENCE)
})

test('parses the example licence of the standard', () => {
  expect(parseAamva(LICENCE)).toEqual({
    documentNumber: 'T64235789',
    surname: 'SAMPLE',
    givenNames: 'MICHAEL JOHN',
    dateOfBirth: '1986-06-06',
    expiryDate: '2034-12-10',
    country: 'USA',
  })
  expect(
    parseAamva(LICENCE.replace('DBB06061986', 'DBB19860606').replace('DCGUSA', 'DCGCAN'))?.dateOfBirth,
  ).toBe('1986-06-06')
  expect(parseAamva(LICENCE.replace('DBB06061986', 'DBB13321986'))?.dateOfBirth).toBeNull()
  for (const text of ['', '@', 'https://example.com', '@\nANSI ']) parseAamva(text)
  expect(parseAamva('https://example.com')).toBeNull()
})

describe('licences of other versions', () => {
  /** A barcode with these elements, whose offset is right or not. */
  function licence(
    elements: readonly string[],
    { version = '10', type = 'ANSI ', offset = 0, kind = 'DL' } = {},
  ) {
    const body = `${kind}${elements.join('\n')}\r`
    const start = `@\n\u001E\r${type}636000${version}${version === '01' ? '' : '00'}01`
    const at = start.length + 10 + offset
    const length = String(body.length).padStart(4, '0')
    return `${start}${kind}${String(at).padStart(4, '0')}${length}${body}`
  }
  const NUMBER = 'DAQT64235789'

  test.each(['MIDDLETON', 'SIDDIQUI', 'BIDDLE', 'RIDDICK', 'ADLDABIDDER'])(
    'keep the name %s, which has the letters of a header',
    (surname) => {
      for (const kind of ['DL', 'ID'])
        expect(parseAamva(licence([NUMBER, `DCS${surname}`, 'DACIDDY'], { kind }))).toMatchObject({
          documentNumber: 'T64235789',
          surname,
          givenNames: 'IDDY',
        })
    },
  )

  test('are read if the issuer counts offsets wrongly', () => {
    for (const offset of [-3, 1, 400])
      expect(parseAamva(licence([NUMBER, 'DCSMIDDLETON'], { offset }))?.surname).toBe('MIDDLETON')
  })

  test('have all names in one element, dates with the year first and no country in version 1', () => {
    const elements = ['DAAMIDDLETON,ANNA,MARIA', NUMBER, 'DBB19860606', 'DBA20341210', 'DAJVA']
    expect(parseAamva(licence(elements, { version: '01', type: 'AAMVA' }))).toEqual({
      documentNumber: 'T64235789',
      surname: 'MIDDLETON',
      givenNames: 'ANNA MARIA',
      dateOfBirth: '1986-06-06',
      expiryDate: '2034-12-10',
      country: 'USA',
    })
  })

  test('have the given names in one element in versions 2 and 3', () => {
    for (const version of ['02', '03'])
      expect(parseAamva(licence([NUMBER, 'DCSSIDDIQUI', 'DCTANNA,MARIA'], { version }))).toMatchObject({
        surname: 'SIDDIQUI',
        givenNames: 'ANNA MARIA',
      })
  })

  test('have no middle name where it is NONE', () => {
    expect(parseAamva(licence([NUMBER, 'DCSBIDDLE', 'DACANNA', 'DADNONE']))?.givenNames).toBe('ANNA')
  })
})

describe('a picture of a licence', () => {
  test.each([
    ['unchanged', (image: Sharp) => image],
    ['turned by 90 degrees', (image: Sharp) => image.rotate(90)],
    ['tilted by 4 degrees', (image: Sharp) => image.rotate(4, { background: '#555' })],
    ['blurred', (image: Sharp) => image.blur(1)],
  ])('is read %s', async (_, spoil) => {
    const image = await openImage(await spoil(sharp(card)).jpeg().toBuffer())
    expect(await checkBarcode([image], null)).toMatchObject({
      result: { outcome: 'passed', code: 'barcode_read' },
      read: { documentNumber: 'T64235789' },
    })
  })

  test('without a barcode has none', async () => {
    const image = await openImage(
      await sharp({ create: { width: 400, height: 300, channels: 3, background: '#eee' } })
        .png()
        .toBuffer(),
    )
    expect(await checkBarcode([image], null)).toMatchObject({
      result: { outcome: 'not_run', code: 'no_barcode' },
      read: null,
    })
  })
})
