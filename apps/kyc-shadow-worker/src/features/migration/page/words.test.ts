import { expect, test } from 'vitest'
import { bytesText, durationText, rateText, shareText } from './words.ts'

const plain = (text: string): string => text.replaceAll('\u00A0', ' ')

test.for([
  [0, '0 %'],
  [0.000012, '0.0012 %'],
  [0.0123, '1.2 %'],
  [0.994, '99 %'],
  // Rounding must not claim that nothing is missing.
  [0.9999, '>99 %'],
  [1, '100 %'],
] as const)('a share of %d is %s', ([share, text]) => {
  expect(plain(shareText(share))).toBe(text)
})

test('there is no rate without trials', () => {
  expect(rateText(0, 0)).toBe('–')
  expect(plain(rateText(1, 4))).toBe('25 %')
})

test.for([
  [null, '–'],
  [0.4, '0.4 ms'],
  [999, '999 ms'],
  [1234, '1.23 s'],
  [90_000, '1.5 min'],
  [7_200_000, '2 h'],
] as const)('%d ms are %s', ([ms, text]) => {
  expect(plain(durationText(ms))).toBe(text)
})

test.for([
  [0, '0 B'],
  [999, '999 B'],
  [31_000_000, '31 MB'],
  [2e15, '2,000 TB'],
] as const)('%d bytes are %s', ([bytes, text]) => {
  expect(plain(bytesText(bytes))).toBe(text)
})
