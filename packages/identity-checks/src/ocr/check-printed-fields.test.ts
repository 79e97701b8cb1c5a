import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ANNA, passportLines } from '../../scripts/draw-specimen.ts'
import { parseMrz } from '../mrz/parse-mrz.ts'
import { checkPrintedFields, distanceWithin } from './check-printed-fields.ts'

const mrz = parseMrz(passportLines(ANNA))
const check = (text: string) => checkPrintedFields({ text, confidence: 0.9 }, mrz)

test('matches printed names and number despite OCR errors', () => {
  expect(check('Surname\nERIKSSON\nGiven names ANNA MARIA\nL898902C3')).toMatchObject({
    outcome: 'passed',
    score: 0.9,
  })
  expect(check('eriksson. Anna, MAR1A; L898902C8')).toMatchObject({ outcome: 'passed' })
})

test('reports a missing name', () => {
  expect(check('ERIKSON OTTO MARIA L898902C3')).toMatchObject({
    outcome: 'warning',
    code: 'mrz_name_mismatch',
  })
  expect(check('')).toMatchObject({ outcome: 'warning', score: 0 })
  expect(checkPrintedFields({ text: 'ERIKSSON', confidence: 1 }, null)).toMatchObject({ outcome: 'not_run' })
})

test('finds split and joined words, but only on one line', () => {
  expect(check('~ ERIK SSON\nANNA.MARIA\nNo L898 902C3')).toMatchObject({ outcome: 'passed' })
  expect(check('ERIK\nSSON\nANNA MARIA L898902C3')).toMatchObject({ outcome: 'warning' })
})

test('does not match the machine-readable zone with itself', () => {
  const zone = passportLines(ANNA).join('\n')
  expect(check(zone)).toMatchObject({ outcome: 'warning', score: 0 })
  expect(check(zone.replaceAll('<', ' < '))).toMatchObject({ outcome: 'warning', score: 0 })
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
