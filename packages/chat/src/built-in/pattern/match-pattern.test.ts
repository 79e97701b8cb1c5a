import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SchemaRefusal } from '../schema-refusal.ts'
import { Work } from '../work.ts'
import { compilePattern } from './compile-pattern.ts'
import { matchesPattern } from './match-pattern.ts'

function matches(source: string, text: string, maxSteps?: number): boolean {
  const work = new Work(maxSteps)
  return matchesPattern(compilePattern(source, work), text, work)
}

const PATTERNS = [
  '',
  'a',
  '^a+$',
  '^(a+)+$',
  '(?:a|b)*?c',
  '^(?:a{2,3}|b{2}){1,2}$',
  'a{0}b?$',
  '^(?=.*b)[a-c]{3}$',
  '^(?!.*bb)',
  '(?<=a)b',
  '(?<!a|^)b',
  '(?<=^a(?=b)b)c',
  String.raw`\ba\b`,
  String.raw`\Ba`,
  '^.$',
  '[^a]b',
  String.raw`^\p{L}+$`,
  String.raw`\d|\s`,
  '^(?:a*)*$',
  '^(?:|a)+b$',
  '[a-]',
  String.raw`\_`,
]

test.each(PATTERNS)('%s matches what the engine of JavaScript matches', (source) => {
  const flags = source === String.raw`\_` ? '' : 'u'
  const unit = fc.constantFrom('a', 'b', 'c', ' ', '_', '1', '\n', 'न', '👩', '\ud800')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
      expect(matches(source, text)).toBe(new RegExp(source, flags).test(text))
    }),
    { numRuns: 200 },
  )
})

test('a pattern that backtracks without end takes a step a character', () => {
  expect(matches('^(a+)+$', `${'a'.repeat(1000)}!`, 20_000)).toBe(false)
  expect(matches('^(a|a|aa)*b$', 'a'.repeat(1000), 30_000)).toBe(false)
})

test.each([
  ['(', 'has a pattern that is no regular expression'],
  [String.raw`^(a)\1$`, 'has a pattern with a back reference, which is not followed'],
  ['^(?i:a)$', 'has a pattern with modifiers, which are not followed'],
  ['(?:a{1000}){1000}', 'has a pattern that is too long once its repetitions are written out'],
])('%s is refused', (source, reason) => {
  expect(() => matches(source, 'a')).toThrow(new SchemaRefusal(reason))
})

test('looking around everywhere is too hard', () => {
  expect(() => matches('^(?:(?=.*b)a)*$', `${'a'.repeat(10_000)}b`)).toThrow(
    'is too hard for the built-in model',
  )
})
