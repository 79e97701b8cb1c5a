import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANNA, passportLines } from '../../scripts/draw-specimen.ts'
import { parseMrz } from '../mrz/parse-mrz.ts'
import { checkPrintedFields } from './check-printed-fields.ts'
import { distanceWithin } from './edit-distance.ts'

const mrz = parseMrz(passportLines(ANNA))
const check = (text: string) => checkPrintedFields({ text, sure: text, confidence: 0.9 }, mrz)

test('matches printed names and number despite OCR errors', () => {
  expect(check('Surname\nERIKSSON\nGiven names ANNA MARIA\nL898902C3')).toMatchObject({
    outcome: 'passed',
    score: 0.9,
  })
  expect(check('eriksson. Anna, MAR1A; L898902C8')).toMatchObject({ outcome: 'passed' })
})

test('does not take letters that zones spell with two for another name', () => {
  const zone = parseMrz(passportLines({ ...ANNA, surname: 'THURIDUR' }))
  const text = 'PURIDUR\nANNA MARIA\nL898902C3'
  expect(checkPrintedFields({ text, sure: text, confidence: 0.9 }, zone)).toMatchObject({
    code: 'print_not_read',
    evidence: { other_name: 'none' },
  })
})

test('does not take a name that was not read for another one', () => {
  for (const text of ['', 'ERIKSON  MARIA L898902C3', 'x ~~ L898902C3', 'Surname\n%& §\nGiven names\n~~'])
    expect(check(text)).toMatchObject({ outcome: 'not_run', code: 'print_not_read' })
  expect(checkPrintedFields({ text: 'ERIKSSON', sure: '', confidence: 1 }, null)).toMatchObject({
    outcome: 'not_run',
    code: 'nothing_to_compare',
  })
})

describe('another name', () => {
  test.each([
    ['below its label', 'Surname\nJOHANSSON\nGiven names\nANNA MARIA', 'surname'],
    ['behind its label', 'Surname: JOHANSSON\nGiven names: ANNA MARIA', 'surname'],
    [
      'with a label in two languages',
      'Surname / Nom\nERIKSSON\nGiven names / Prénoms\nOTTO KARL',
      'givenNames',
    ],
    ['spelt differently', 'ERIKSTEN\nANNA MARIA', 'surname'],
  ])('is found %s', (_, text, other_name) => {
    expect(check(text)).toMatchObject({
      outcome: 'warning',
      code: 'mrz_name_mismatch',
      evidence: { other_name },
    })
  })

  test.each([
    [
      'was not read with certainty',
      'Surname\nJOHANSSON\nGiven names\nANNA MARIA',
      'Surname\n\nGiven names\nANNA MARIA',
    ],
    ['has the wanted name beside it', 'Surname\nERIKSSON JOHANSSON\nANNA MARIA', undefined],
    ['is only a part of a name that is there', 'Surname\nERIKSSON\nGiven names\nMARIA LUISE', undefined],
    [
      'is the label of another column',
      'Primary identifier/ Secondary identifier/ Document No.\nUTOPIA',
      undefined,
    ],
    ['is a label', 'Surname\nGiven names\nNationality', undefined],
  ])('is none if it %s', (_, text, sure = text) => {
    expect(checkPrintedFields({ text, sure, confidence: 0.9 }, mrz).code).not.toBe('mrz_name_mismatch')
  })
})

test('finds names whose printed letters have marks that a zone lacks', () => {
  const lines = passportLines({ ...ANNA, surname: 'MUELLER', givenNames: 'JOSE' })
  const text = 'Name Müller\nVorname José\nL898902C3'
  expect(checkPrintedFields({ text, sure: text, confidence: 0.9 }, parseMrz(lines)).outcome).toBe('passed')
})

test('finds split and joined words, but only on one line', () => {
  expect(check('~ ERIK SSON\nANNA.MARIA\nNo L898 902C3')).toMatchObject({ outcome: 'passed' })
  expect(check('ERIK\nSSON\nANNA MARIA L898902C3')).toMatchObject({ code: 'print_not_read' })
})

test('does not match the machine-readable zone with itself', () => {
  const zone = passportLines(ANNA).join('\n')
  expect(check(zone)).toMatchObject({ code: 'print_not_read', score: 0 })
  expect(check(zone.replaceAll('<', ' < '))).toMatchObject({ code: 'print_not_read', score: 0 })
})

test('the distance of a word from a text is that from its nearest part', () => {
  const words = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 6 })
  fc.assert(
    fc.property(words, words, words, fc.nat(5), (before, word, after, at) => {
      expect(distanceWithin(word, before + word + after)).toBe(0)
      const changed = word.slice(0, at) + word.slice(at + 1)
      expect(distanceWithin(word, before + changed + after)).toBeLessThanOrEqual(1)
      expect(distanceWithin(word, 'xyz')).toBe(word.length)
    }),
  )
})

describe('another date than those of the machine-readable zone', () => {
  const names = 'ERIKSSON ANNA MARIA L898902C3'
  const dates = (text: string, sure = text) =>
    checkPrintedFields({ text: `${names}\n${text}`, sure: `${names}\n${sure}`, confidence: 0.9 }, mrz)

  test.each([
    '12 AUG 1984 F',
    '12.08.1984',
    '12 Aug/Août 1984\n15 APR 2032',
    'Born August 13, 1974',
    '1974-08-13 2022-04-16',
  ])('is a birth: %s', (text) => {
    expect(dates(text)).toMatchObject({
      outcome: 'warning',
      code: 'printed_date_mismatch',
      evidence: { other_date: 'date_of_birth' },
    })
  })

  test('is a later expiry', () => {
    expect(dates('12 AUG 1974\n15 APR 2034')).toMatchObject({
      code: 'printed_date_mismatch',
      evidence: { other_date: 'expiry_date' },
    })
  })

  test.each([
    '12 AUG 1974 F\n15 APR 2032',
    '08/12/1974 and 15.04.32',
    // Issued ten years before.
    '15 APR 2022',
    // Another birth is printed as well, such as a parent's.
    '12-08-1974 father born 1 JAN 1950',
    // No dates.
    '31 FEB 1960, 12 AOR 1984, 12345678 1984, 99/99/1984',
    'ministry no. 12 08 84',
  ])('is none of %s', (text) => {
    expect(dates(text)).toMatchObject({ outcome: 'passed', code: 'names_match' })
  })

  test('counts only if it was read with certainty', () => {
    expect(dates('12 AUG 1971', '12 AUG')).toMatchObject({ outcome: 'passed' })
  })

  test('is not searched for in the zone', () => {
    expect(dates('L898902C36UTO19840812F3204159ZE184226B<<<<<10')).toMatchObject({ outcome: 'passed' })
  })
})
