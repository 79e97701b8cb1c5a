import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ANNA,
  cardLines,
  passportLines,
  type Person,
  td2Lines,
  frenchLines,
  visaLines,
} from '../../scripts/draw-specimen.ts'
import { findOddity } from './find-oddity.ts'
import { parseMrz } from './parse-mrz.ts'

const oddityOf = (lines: readonly string[]) => {
  const mrz = parseMrz(lines)
  if (mrz === null) throw new Error('The lines are not a zone')
  return findOddity(mrz)
}
const [first = '', second = ''] = passportLines(ANNA)

const two = fc.integer({ min: 1, max: 28 }).map((value) => String(value).padStart(2, '0'))
const month = fc.integer({ min: 1, max: 12 }).map((value) => String(value).padStart(2, '0'))
const date = fc.tuple(two, month, two).map((parts) => parts.join(''))
const word = fc.stringMatching(/^[A-HJ-Z]([A-Z][B-Z])?[AEIOU]$/)
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
const people: fc.Arbitrary<Person> = fc.record({
  surname: name,
  givenNames: fc.oneof(name, fc.constant('')),
  documentNumber: fc.stringMatching(/^[A-Z]{2}[0-9]{5,7}$/),
  birth: date,
  expiry: date,
  sex: fc.constantFrom('F', 'M'),
})

test('no passport, card or visa is odd', () => {
  fc.assert(
    fc.property(people, (person) => {
      expect(oddityOf(passportLines(person))).toBeNull()
      expect(oddityOf(cardLines(person))).toBeNull()
      expect(oddityOf(td2Lines(person))).toBeNull()
      expect(oddityOf(visaLines(person, 44))).toBeNull()
      expect(oddityOf(visaLines(person, 36))).toBeNull()
      if (person.givenNames !== '') expect(oddityOf(frenchLines(person))).toBeNull()
    }),
  )
})

test.each([
  // Countries with fewer letters, one name only, and a name that fills the line.
  [first.replace('UTO', 'D<<'), second.replace('UTO', 'D<<')],
  [first.replace('ERIKSSON<<ANNA<MARIA', 'SUKARNO<<<<<<<<<<<<<'), second],
  [first.replace('ERIKSSON<<ANNA<MARIA', '<<ANNA<MARIA<<<<<<<<'), second],
  ['P<UTOERIKSSON<<ANNA<MARIA<HENRIETTA<ALEXANDRA'.slice(0, 44), second],
])('%s is not odd', (...lines) => {
  expect(oddityOf(lines)).toBeNull()
})

test.each([
  // Fillers read as letters.
  [first.replace(/<{7}$/, 'OOOOOOO'), second, 'run_of_letters'],
  [first, second.replace('<<<<<<', '<OOOOO'), 'run_of_letters'],
  [first.replace(/<{5}$/, '<O<OC'), second, 'names'],
  // Read from pictures: a card of format TD2, a passport in perspective, and the side of a card.
  ['IMBIT<HCWILFTBU<N<H<HMBCX<HJZSHCPILFPUHC<MBH', second, 'document_type'],
  ['PMBIT<HCWILFTBU<N<H<HMBCX<HJZSHCPILFPUHC<MBH', second, 'names'],
  ['P<UTOOUNCAS<<QOVBDUVF<ITOQEU<<<HHHBBBUOOO<<<', second, 'names'],
  [first.replace('P<UTO', 'P<U<O'), second, 'country'],
  [first.replace('P<UTO', 'X<UTO'), second, 'document_type'],
  [first, second.replace('740812', '741312'), 'date_of_birth'],
  [first, second.replace('320415', '320230'), 'expiry_date'],
  [first, second.replace('UTO', 'UT<').replace('UT<', '<TO'), 'country'],
  [`P<UTO${'<'.repeat(39)}`, second, 'names'],
  [first, second.replace('L898902C3', '<898902C3'), 'document_number'],
])('%s / %s is odd: %s', (one, other, oddity) => {
  expect(oddityOf([one, other])).toBe(oddity)
})
