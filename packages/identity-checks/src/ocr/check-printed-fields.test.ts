import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ANNA, passportLines } from '../../scripts/draw-specimen.ts'
import { parseMrz } from '../mrz/parse-mrz.ts'
import { checkPrintedFields, distance } from './check-printed-fields.ts'

const mrz = parseMrz(passportLines(ANNA))
const check = (text: string) => checkPrintedFields({ text, confidence: 0.9 }, mrz)

test('names and number that are printed match, with the errors of reading', () => {
  expect(check('Surname\nERIKSSON\nGiven names ANNA MARIA\nL898902C3')).toMatchObject({
    outcome: 'passed',
    score: 0.9,
  })
  expect(check('eriksson. Anna, MAR1A; L898902C8')).toMatchObject({ outcome: 'passed' })
})

test('one that is not there is told', () => {
  expect(check('ERIKSON OTTO MARIA L898902C3')).toMatchObject({
    outcome: 'warning',
    code: 'mrz_name_mismatch',
  })
  expect(check('')).toMatchObject({ outcome: 'warning', score: 0 })
  expect(checkPrintedFields({ text: 'ERIKSSON', confidence: 1 }, null)).toMatchObject({ outcome: 'not_run' })
})

test('the distance is a metric', () => {
  const words = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 6 })
  fc.assert(
    fc.property(words, words, words, (a, b, c) => {
      expect(distance(a, a)).toBe(0)
      expect(distance(a, b)).toBe(distance(b, a))
      expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c))
    }),
  )
})
