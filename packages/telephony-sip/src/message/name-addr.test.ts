import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseNameAddr, serializeNameAddr, tagOf, type NameAddr } from './name-addr.ts'
import { parameterOf, withParameter } from './parameters.ts'
import { SipParseError } from './sip-parse-error.ts'

test.each<[value: string, address: NameAddr]>([
  [
    'sip:a@example.com;tag=1;x',
    {
      uri: 'sip:a@example.com',
      parameters: [
        ['tag', '1'],
        ['x', ''],
      ],
    },
  ],
  ['<sip:a@example.com;lr>;Tag=1', { uri: 'sip:a@example.com;lr', parameters: [['tag', '1']] }],
  [
    String.raw`"A; <B>, \"C\"" <sip:a@example.com> ; tag = "x;\"y"`,
    { displayName: 'A; <B>, "C"', uri: 'sip:a@example.com', parameters: [['tag', 'x;"y']] },
  ],
  ['Bell, A. G. <tel:+1201>', { displayName: 'Bell, A. G.', uri: 'tel:+1201', parameters: [] }],
  ['sip:a@b.example;x="<"', { uri: 'sip:a@b.example', parameters: [['x', '<']] }],
  ['"" <https://a.example/?q>', { displayName: '', uri: 'https://a.example/?q', parameters: [] }],
])('reads %s', (value, address) => {
  expect(parseNameAddr(value)).toEqual(address)
  expect(parseNameAddr(serializeNameAddr(address))).toEqual(address)
})

test.each([
  '',
  '<>',
  'sip:',
  '"a"',
  '"a" sip:a@b.example',
  'a"b <sip:a@b.example>',
  '<sip:a@b.example',
  '<sip:a@b.example> x',
  '<sip:a@b.example>;',
  '<sip:a@b.example>;;x',
  '<sip:a@b.example>;="x"',
  '<sip:a@b.example>;x="y',
  '<sip:a@b.example>;x="y"z',
  '<sip:a@b.example>;x=y z',
  'sip:a@b.example?x=y',
])('refuses %j', (value) => {
  expect(() => parseNameAddr(value)).toThrow(SipParseError)
})

test('finds the tag of the header, never one inside the URI or the name', () => {
  expect(tagOf('"x;tag=1" <sip:a@b.example;tag=2>;tag=3')).toBe('3')
  expect(tagOf('<sip:a@b.example;tag=2>')).toBeUndefined()
})

test('sets a parameter once, in its place', () => {
  const parameters = [
    ['a', '1'],
    ['b', '2'],
  ] as const
  expect(withParameter(parameters, 'a', '3')).toEqual([
    ['a', '3'],
    ['b', '2'],
  ])
  expect(withParameter([...parameters, ['a', '4'], ['a', '5']], 'a', '3')).toEqual([
    ['a', '3'],
    ['b', '2'],
  ])
  expect(parameterOf({ parameters: withParameter(parameters, 'c', '') }, 'c')).toBe('')
})

test('any display name and parameter value survives', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, (displayName, value) => {
      const address = { displayName, uri: 'sip:a@b.example', parameters: [['x', value]] } as const
      expect(parseNameAddr(serializeNameAddr(address))).toEqual(address)
    }),
  )
})

test('throws nothing but its own error', () => {
  const piece = fc.constantFrom(
    '"',
    '\\',
    '<',
    '>',
    ';',
    '=',
    ',',
    ' ',
    'tag',
    'sip:a@b.example',
    ':',
    '@',
    '[',
    ']',
    '%',
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      try {
        const address = parseNameAddr(pieces.join(''))
        expect(parseNameAddr(serializeNameAddr(address))).toEqual(address)
      } catch (error) {
        expect(error).toBeInstanceOf(SipParseError)
      }
    }),
  )
})
