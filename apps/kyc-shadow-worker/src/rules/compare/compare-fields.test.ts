import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIELD_NAMES } from '@vaani/contracts/migration'
import { compareField, mirrored } from './compare-fields.ts'

const names = fc.constantFrom(...FIELD_NAMES)
const values = fc.option(fc.string({ unit: 'grapheme' }), { nil: null })

test('a value equals itself, whatever it is', () => {
  fc.assert(
    fc.property(names, values, (field, value) => {
      expect(compareField(field, value, value)).toBe('equal')
    }),
  )
})

test('the order of the sides changes only who is named', () => {
  fc.assert(
    fc.property(names, values, values, (field, one, other) => {
      expect(compareField(field, other, one)).toBe(mirrored(compareField(field, one, other)))
    }),
  )
})

test.each([
  ['full_name', 'Jürgen Müller', 'JUERGEN MUELLER', 'equal_folded'],
  ['full_name', 'Jürgen Müller', 'JURGEN MULLER', 'equal_folded'],
  ['full_name', 'Łukasz Żak', 'lukasz zak', 'equal_folded'],
  ['full_name', 'Søren Kjær', 'SOEREN KJAER', 'equal_folded'],
  ['full_name', "O'Brien Anne-Marie", 'OBRIEN  ANNE MARIE', 'equal_folded'],
  ['full_name', 'Николай', 'Nikolay', 'equal_folded'],
  ['full_name', 'Müller Jürgen', 'Jürgen Müller', 'reordered'],
  ['full_name', 'Anna', 'Anne', 'different'],
  ['surname', 'Müller\u{200d}', 'Müller', 'equal_folded'],
  // The same letter composed and decomposed.
  ['surname', 'M\u00fcller', 'Mu\u0308ller', 'equal_folded'],
  ['document_number', 'AB 12-345', 'ab12345', 'equal_folded'],
  ['document_number', 'O123', '0123', 'different'],
  ['date_of_birth', '1990-04-12', '1990-04-12T00:00:00Z', 'equal_folded'],
  ['date_of_birth', '1990-04-12', '1990-12-04', 'different'],
  ['sex', 'F', 'f', 'equal_folded'],
  // Nothing is left of either.
  ['surname', '♥', '!', 'different'],
  ['nationality', 'NPL', null, 'only_primary'],
  ['nationality', undefined, 'NPL', 'only_candidate'],
  ['nationality', undefined, null, 'equal'],
] as const)('%s %j beside %j is %s', (field, one, other, expected) => {
  expect(compareField(field, one, other)).toBe(expected)
})
