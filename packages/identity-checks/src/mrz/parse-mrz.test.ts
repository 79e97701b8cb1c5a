import { expect, test } from 'vitest'
import { ANNA, cardLines, passportLines } from '../../scripts/draw-specimen.ts'
import { checkDigit } from './check-digit.ts'
import { parseMrz } from './parse-mrz.ts'

const now = new Date('2026-11-21T00:00:00Z')

test('computes the check digits of ICAO’s examples', () => {
  // Doc 9303, part 3, appendix A.
  expect(checkDigit('520727')).toBe('3')
  expect(checkDigit('AB2134<<<')).toBe('5')
})

test('reads ICAO’s passport', () => {
  // Doc 9303, part 4, appendix B.
  const lines = [
    'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
    'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
  ]
  expect(parseMrz(lines, now)).toEqual({
    format: 'TD3',
    lines,
    valid: true,
    wrong: [],
    documentType: 'P',
    issuingCountry: 'UTO',
    surname: 'ERIKSSON',
    givenNames: 'ANNA MARIA',
    documentNumber: 'L898902C3',
    nationality: 'UTO',
    dateOfBirth: '1974-08-12',
    expiryDate: '2012-04-15',
    neverExpires: false,
    sex: 'F',
  })
})

test('reads ICAO’s card and its TD2 document', () => {
  // Doc 9303, part 5, appendix B, and part 6, appendix B.
  const card = [
    'I<UTOD231458907<<<<<<<<<<<<<<<',
    '7408122F1204159UTO<<<<<<<<<<<6',
    'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
  ]
  expect(parseMrz(card, now)).toMatchObject({ format: 'TD1', valid: true, documentNumber: 'D23145890' })
  const td2 = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6']
  expect(parseMrz(td2, now)).toMatchObject({ format: 'TD2', valid: true, surname: 'ERIKSSON' })
})

test('reads the French identity card of 1988 to 2021, whose zone has no date of expiry', () => {
  // The example of https://fr.wikipedia.org/wiki/Carte_nationale_d%27identit%C3%A9_en_France.
  const lines = ['IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<', '8806923102858CORINNE<<<<<<<6512068F6']
  const fields = {
    format: 'FRA-ID',
    valid: true,
    documentType: 'ID',
    issuingCountry: 'FRA',
    nationality: 'FRA',
    surname: 'BERTHIER',
    givenNames: 'CORINNE',
    documentNumber: '880692310285',
    dateOfBirth: '1965-12-06',
    expiryDate: null,
    neverExpires: false,
    sex: 'F',
  }
  expect(parseMrz(lines, now)).toMatchObject(fields)
  const [first = '', second = ''] = lines
  const wrong = (text: string, by: string) =>
    parseMrz(
      [first, second].map((line) => line.replace(text, by)),
      now,
    )?.wrong
  expect(wrong('880692', '880693')).toEqual(['document_number', 'composite'])
  expect(wrong('651206', '651207')).toEqual(['date_of_birth', 'composite'])
  expect(wrong('BERTHIER', 'BERTHIEU')).toEqual(['composite'])
  const several = parseMrz([first, second.replace('CORINNE<<<<<<<', 'ANNE<<MARIE<<<')], now)
  expect(several).toMatchObject({ surname: 'BERTHIER', givenNames: 'ANNE MARIE' })
})

test('reads ICAO’s visas, of which no check digit covers all', () => {
  // Doc 9303, part 7, appendices A and B.
  const fields = {
    valid: true,
    documentType: 'V',
    surname: 'ERIKSSON',
    givenNames: 'ANNA MARIA',
    documentNumber: 'L8988901C',
    nationality: 'XXX',
    dateOfBirth: '1940-09-07',
    expiryDate: '1996-12-10',
    sex: 'F',
  }
  const long = [
    'V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
    'L8988901C4XXX4009078F96121096ZE184226B<<<<<<',
  ]
  expect(parseMrz(long, now)).toMatchObject({ ...fields, format: 'MRV-A', lines: long })
  const short = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'L8988901C4XXX4009078F9612109<<<<<<<<']
  expect(parseMrz(short, now)).toMatchObject({ ...fields, format: 'MRV-B', lines: short })
  const changed = short.map((line) => line.replace('L8988901C4', 'L8988902C4'))
  expect(parseMrz(changed, now)?.wrong).toEqual(['document_number'])
})

test('detects every single wrong digit of the document number', () => {
  for (const lines of [passportLines(ANNA), cardLines(ANNA)]) {
    expect(parseMrz(lines, now)?.valid).toBe(true)
    const line = lines.length === 2 ? 1 : 0
    const from = lines.length === 2 ? 0 : 5
    const text = lines[line] ?? ''
    for (let at = from; at < from + 9; at++) {
      if (!/\d/.test(text[at] ?? '')) continue
      const changed = text.slice(0, at) + ((Number(text[at]) + 1) % 10) + text.slice(at + 1)
      const wrong = parseMrz(
        lines.map((one, index) => (index === line ? changed : one)),
        now,
      )?.wrong
      expect(wrong).toContain('document_number')
    }
  }
})

/** Lines of a card with these parts, and with right check digits. */
function card({ country = 'UTO', number = 'D23145890', birth = '740812', expiry = '320415' }): string[] {
  const principal = number.slice(0, 9).padEnd(9, '<')
  const rest = number.slice(9)
  const digit = checkDigit(rest === '' ? principal : number)
  const first = `I<${country}${principal}${rest === '' ? digit : `<${rest}${digit}`}`.padEnd(30, '<')
  const digitOf = (date: string) => (date === '<<<<<<' ? '<' : checkDigit(date))
  const dates = [`${birth}${digitOf(birth)}`, `${expiry}${digitOf(expiry)}`] as const
  const second = `${dates[0]}F${dates[1]}${country}${'<'.repeat(11)}`
  const all = checkDigit(first.slice(5) + dates[0] + dates[1] + '<'.repeat(11))
  return [first, second + all, 'ERIKSSON<<ANNA<MARIA'.padEnd(30, '<')]
}

test('reads a number that goes on in the optional data', () => {
  // Doc 9303, part 5, appendix B: a number of twelve characters.
  const icao = [
    'I<UTOD23145890<7349<<<<<<<<<<<',
    '3407127M9507122UTO<<<<<<<<<<<2',
    'STEVENSON<<PETER<JOHN<<<<<<<<<',
  ]
  expect(parseMrz(icao, now)).toMatchObject({ valid: true, documentNumber: 'D23145890734' })
  // As on every Belgian card.
  const belgian = card({ country: 'BEL', number: '590330101085' })
  expect(parseMrz(belgian, now)).toMatchObject({ valid: true, documentNumber: '590330101085' })
  const changed = belgian.map((line) => line.replace('<0859', '<0869').replace(/<085(\d)/, '<086$1'))
  expect(parseMrz(changed, now)?.wrong).toContain('document_number')
  const second = 'D23145890<UTO7408122F12041597349<<<'
  const all = checkDigit(second.slice(0, 10) + second.slice(13, 20) + second.slice(21))
  const td2 = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', second + all]
  expect(parseMrz(td2, now)).toMatchObject({ valid: true, documentNumber: 'D23145890734' })
})

test.each([
  ['a permanent Spanish card', card({ country: 'ESP', expiry: '990101' })],
  ['fillers', card({ expiry: '<<<<<<' })],
])('takes %s for a document that does not expire', (_, lines) => {
  expect(parseMrz(lines, now)).toMatchObject({ valid: true, expiryDate: null, neverExpires: true })
})

test('takes no passport for a document that does not expire', () => {
  const second = `L898902C36UTO7408122F<<<<<<<${'<'.repeat(15)}`
  const all = checkDigit(second.slice(0, 10) + second.slice(13, 20) + second.slice(21))
  const lines = ['P<UTOERIKSSON<<ANNA<MARIA'.padEnd(44, '<'), second + all]
  expect(parseMrz(lines, now)).toMatchObject({ format: 'TD3', expiryDate: null, neverExpires: false })
})

test.each([
  ['no birth is after today', { birth: '261231' }, '1926-12-31'],
  ['a birth may be today', { birth: '261121' }, '2026-11-21'],
  ['no birth is after the expiry', { birth: '150101', expiry: '120415' }, '1915-01-01'],
  ['an unknown day is null', { birth: '8503<<' }, null],
  ['a date that did not exist is null', { birth: '110229' }, null],
])('the century of a birth: %s', (_, parts, dateOfBirth) => {
  expect(parseMrz(card(parts), now)).toMatchObject({ valid: true, dateOfBirth })
})

test('returns null for lines that are not a machine-readable zone', () => {
  for (const lines of [
    [],
    ['A'],
    ['A'.repeat(44)],
    ['a'.repeat(44), 'a'.repeat(44)],
    ['<'.repeat(30), '<'.repeat(44)],
  ])
    expect(parseMrz(lines, now)).toBeNull()
})
