import { expect, test } from 'vitest'
import { ANNA, passportLines, visaLines } from '../../scripts/draw-specimen.ts'
import { mrzOf } from './check-mrz.ts'
import { parseMrz } from './parse-mrz.ts'

test.each([
  ['a passport', passportLines(ANNA), 0.96, 0.94],
  // No digit covers the others.
  ['a visa', visaLines(ANNA, 44), 0.99, 0.97],
])('returns nothing of %s with a doubtful line or character', (_, lines, sure, doubtful) => {
  const mrz = parseMrz(lines)
  if (mrz === null) throw new Error('The lines are not a zone')
  expect(mrzOf({ mrz, confidence: 0.96, characterConfidence: sure })).toBe(mrz)
  expect(mrzOf({ mrz, confidence: 0.96, characterConfidence: doubtful })).toBeNull()
  expect(mrzOf({ mrz, confidence: 0.94, characterConfidence: sure })).toBeNull()
})

test('returns nothing of a zone with a wrong check digit, or that no document has', () => {
  const [first = '', second = ''] = passportLines(ANNA)
  const read = (lines: readonly string[]) => {
    const mrz = parseMrz(lines)
    return mrz === null ? null : mrzOf({ mrz, confidence: 1, characterConfidence: 1 })
  }
  expect(read([first, second])).not.toBeNull()
  expect(read([first, second.replace('L898902C3', 'L898902C4')])).toBeNull()
  expect(read([first.replace('ERIKSSON', 'ERIIIIIN'), second])).toBeNull()
  expect(read([`I${first.slice(1)}`, second])).toBeNull()
})
