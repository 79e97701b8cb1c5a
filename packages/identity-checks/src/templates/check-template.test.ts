import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { type TextWord, toBlock, toLine } from '../ocr/layout.ts'
import { BUILT_IN_TEMPLATES } from './built-in.ts'
import { checkTemplate } from './check-template.ts'
import { checkTemplateExpiry } from './check-expiry.ts'
import { parseTemplate, type Side, TemplateError } from './template.ts'

/** A driving licence by the numbers of ISO 18013-1, in a script of its own, with its values below. */
const LICENCE = {
  name: 'utopia-licence',
  document_type: 'DL',
  issuing_country: 'UTO',
  sides: [
    {
      side: 'front',
      languages: 'en',
      headings: [['UTOPIA DRIVING LICENCE']],
      other_labels: ['Place of birth'],
      fields: {
        document_number: { kind: 'number', labels: ['Licence No.'], pattern: '[A-Z]{2}\\d{6}' },
        surname: { kind: 'name', labels: ['Surname'], place: 'below' },
        given_names: { kind: 'name', labels: ['Given names'], place: 'below', required: false },
        date_of_birth: { kind: 'date', labels: ['Date of birth'], order: 'dmy' },
        expiry_date: { kind: 'date', labels: ['Valid until'], order: 'dmy' },
        sex: { kind: 'choice', labels: ['Sex'], required: false, values: { F: ['F'], M: ['M'] } },
      },
    },
  ],
}
const licence = parseTemplate(LICENCE)

/** Sets each line of a page as words of 20 pixels a letter; two spaces and more are a gap of that many letters. */
function page(text: string, confidence = 0.95, doubtful?: string) {
  const lines = text.split('\n').flatMap((line, row) => {
    const words = Array.from(line.matchAll(/\S+/g), ({ 0: word, index }): TextWord => ({
      text: word,
      confidence: word === doubtful ? 0.5 : confidence,
      box: { x: index * 20, y: row * 60, width: word.length * 20, height: 40 },
    }))
    return words.length === 0 ? [] : [toLine(words)]
  })
  return [toBlock(lines)]
}
type Page = ReturnType<typeof page>

const GOOD = `     UTOPIA DRIVING LICENCE
Licence No.: AB123456        Sex F
Surname             Given names
ERIKSSON            ANNA MARIA
Date of birth 12.08.1974     Place of birth ZENITH
Valid until 15 APR 2032`

async function check(first: Page, second = first, template = licence, back?: Page) {
  const sent: Side[] = back === undefined ? ['front'] : ['front', 'back']
  return checkTemplate({
    templates: [template],
    sent,
    recognize: async (side) => (side === 'back' ? [back ?? [], back ?? []] : [first, second]),
    today: '2026-11-23',
  })
}

describe('a template', () => {
  test('reads values beside and below their labels', async () => {
    const { result, read } = await check(page(GOOD))
    expect(read).toEqual({
      documentType: 'DL',
      issuingCountry: 'UTO',
      nationality: null,
      expires: true,
      document_number: 'AB123456',
      surname: 'ERIKSSON',
      given_names: 'ANNA MARIA',
      date_of_birth: '1974-08-12',
      expiry_date: '2032-04-15',
      sex: 'F',
    })
    expect(result).toMatchObject({ outcome: 'passed', code: 'fields_read', score: 0.95 })
    expect(result.model).toMatch(/^utopia-licence\/[0-9a-f]{8}$/)
    // Nothing of the person is kept with the result.
    expect(JSON.stringify(result)).not.toMatch(/ERIKSSON|123456|1974/)
  })

  test('tolerates errors in labels and headings, but not in values', async () => {
    const garbled = GOOD.replace('DRIVING', 'DR1VINC')
      .replace('Licence No.', 'Licenoe No')
      .replace('birth 12', 'blrth 12')
    expect((await check(page(garbled))).read).toMatchObject({ document_number: 'AB123456' })
    for (const [from, to] of [
      ['AB123456', 'AB1Z3456'],
      ['ERIKSSON', 'ER1KSSON'],
      ['12.08.1974', '12.13.1974'],
      ['12.08.1974', '30.02.1974'],
      ['12.08.1974', '12.08.74'],
      ['12.08.1974', '12.08.2074'],
      ['12.08.1974', '12.O8.1974'],
      ['Valid until', 'Xaxxd uxxil'],
    ] as const) {
      const { result, read } = await check(page(GOOD.replace(from, to)))
      expect([to, result.code, read]).toEqual([to, 'fields_unsure', null])
    }
  })

  test('takes nothing that one of the readings doubts or reads differently', async () => {
    const { result, read } = await check(page(GOOD), page(GOOD.replace('123456', '123458')))
    expect([result.outcome, result.code, read]).toEqual(['warning', 'fields_unsure', null])
    expect((await check(page(GOOD), page(GOOD, 0.95, 'ERIKSSON'))).read).toBeNull()
    const optional = await check(page(GOOD), page(GOOD, 0.95, 'MARIA'))
    expect(optional.result.outcome).toBe('passed')
    expect(optional.read).not.toHaveProperty('given_names')
  })

  test('does not take a label twice, or within something longer', async () => {
    expect((await check(page(`${GOOD}\nSurname\nOTHER`))).read).toBeNull()
    const father = GOOD.replace('Surname             Given', 'Fathers Surname     Given')
    expect((await check(page(father))).read).toBeNull()
  })

  test('takes no name of which a part may stand after a gap or on the next row', async () => {
    for (const [from, to] of [
      ['ERIKSSON            ANNA MARIA\n', 'ALBUQUERQUE         ANNA MARIA\nCAVALCANTI\n'],
      ['ERIKSSON    ', 'ERI     SSON'],
    ] as const) {
      const { result, read } = await check(page(GOOD.replace(from, to)))
      expect([to, result.code, read]).toEqual([to, 'fields_unsure', null])
    }
    const [template = licence] = BUILT_IN_TEMPLATES
    const wide = `नेपाली नागरिकताको प्रमाणपत्र
ना.प्र.नं. : २७-०१-७०-०१२३४     लिङ्ग : महिला
नाम थर : सीता             गुरुङ
जन्म मिति : साल : २०४५ महिना : ०५ गते : १२`
    expect((await check(page(wide), page(wide), template)).read).toBeNull()
  })

  test('does not recognise other documents', async () => {
    const { result } = await check(page('SOME OTHER CARD\nLicence No. AB123456'))
    expect(result).toMatchObject({ outcome: 'warning', code: 'document_not_recognised' })
  })

  test('takes no field from garbage', async () => {
    const garbage = fc.array(fc.stringMatching(/^[A-Za-z0-9 .:-]{0,40}$/), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(garbage, async (lines) => {
        const { result, read } = await check(page(`UTOPIA DRIVING LICENCE\n${lines.join('\n')}`))
        expect([result.outcome, read]).toEqual(['warning', null])
      }),
    )
  })
})

describe('the citizenship card of Nepal', () => {
  const [template = licence] = BUILT_IN_TEMPLATES
  const front = page(`नेपाली नागरिकताको प्रमाणपत्र
ना.प्र.नं. : २७-०१-७०-०१२३४     लिङ्ग : महिला
नाम थर : सीता गुरुङ
जन्म मिति : साल : २०४५ महिना : ०५ गते : १२
बाबुको नाम थर : हरि गुरुङ`)
  const BACK = `Citizenship Certificate
Citizenship Certificate No. : 27-01-70-01234     Sex : Female
Full Name : SITA GURUNG
Date of Birth (AD) : Year : 1988 Month : AUG Day : 28`

  test('is read in both calendars and scripts', async () => {
    expect((await check(front, front, template)).read).toEqual({
      documentType: 'citizenship',
      issuingCountry: 'NPL',
      nationality: 'NPL',
      expires: false,
      document_number: '27-01-70-01234',
      full_name: 'सीता गुरुङ',
      date_of_birth: '1988-08-28',
      sex: 'F',
    })
    const both = await check(front, front, template, page(BACK))
    expect(both.read).toMatchObject({ full_name: 'SITA GURUNG', date_of_birth: '1988-08-28' })
  })

  test.each([
    ['27-01-70-01234', '27-01-70-01235'],
    ['Day : 28', 'Day : 29'],
    ['Female', 'Male'],
  ])('whose sides differ, %s and %s, is not read', async (from, to) => {
    const { result, read } = await check(front, front, template, page(BACK.replace(from, to)))
    expect([result.outcome, result.code, read]).toEqual(['warning', 'fields_differ', null])
  })

  test('whose back was sent is not read without it', async () => {
    expect((await check(front, front, template, page('nothing'))).read).toBeNull()
  })
})

test('a printed expiry never declines, and a document without one is valid for ever', () => {
  const read = { documentType: 'DL', issuingCountry: 'UTO', nationality: null, expires: true }
  const expiry = (expiry_date?: string, expires = true) =>
    checkTemplateExpiry({ ...read, expires, ...(expiry_date !== undefined && { expiry_date }) }, '2026-11-23')
  expect(expiry('2026-11-23')).toMatchObject({ outcome: 'passed', code: 'document_valid' })
  expect(expiry('2026-11-22')).toMatchObject({ outcome: 'warning', code: 'document_expired' })
  expect(expiry()).toMatchObject({ outcome: 'warning', code: 'expiry_not_read' })
  expect(expiry(undefined, false)).toMatchObject({ outcome: 'passed', code: 'never_expires' })
})

describe('an invalid template is refused with the name of what is wrong', () => {
  const front = LICENCE.sides[0]
  const withFields = (fields: object) => ({
    ...LICENCE,
    sides: [{ ...front, fields: { ...front?.fields, ...fields } }],
  })
  test.each([
    [{ ...LICENCE, name: 'No Spaces' }, 'name: must be of a-z'],
    [{ ...LICENCE, colour: 'red' }, 'colour'],
    [{ ...LICENCE, sides: [{ ...front, side: 'back' }] }, 'sides: must have one front'],
    [{ ...LICENCE, sides: [{ ...front, languages: 'tlh' }] }, 'sides.0.languages: must be a language'],
    [{ ...LICENCE, sides: [{ ...front, headings: [['***']] }] }, 'must have a letter'],
    [{ ...LICENCE, expires: false }, 'sides: expiry_date contradicts'],
    [withFields({ expiry_date: undefined }), 'the front must require expiry_date'],
    [
      withFields({ surname: { kind: 'name', labels: ['Surname'], required: false } }),
      'the front must require one of',
    ],
    [
      withFields({ document_number: { kind: 'number', labels: ['No.'], pattern: '(' } }),
      'pattern: must be a regular',
    ],
    [
      withFields({ surname: { kind: 'name', labels: ['Surname'], script: 'Klingon' } }),
      'script: must be the name',
    ],
    [withFields({ surname: { kind: 'name', labels: [] } }), 'sides.0.fields.surname.labels'],
    [
      withFields({ date_of_birth: { kind: 'date', labels: ['Birth'], order: 'ydm' } }),
      'sides.0.fields.date_of_birth.order',
    ],
    [
      withFields({ sex: { kind: 'choice', labels: ['Sex'], values: {} } }),
      'sides.0.fields.sex.values: must have',
    ],
  ])('%#', (template, problem) => {
    expect(() => parseTemplate(template)).toThrow(TemplateError)
    expect(() => parseTemplate(template)).toThrow(problem)
  })
})
