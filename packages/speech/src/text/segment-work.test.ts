import { afterEach, expect, test, vi } from 'vitest'
import { segmentText } from './segment-text.ts'
import { MAX_SENTENCE_UNITS } from './sentences.ts'

afterEach(() => vi.restoreAllMocks())

/**
 * Counts the texts that segmentation passes to regular expressions and `Intl.Segmenter`. A call may cost more than linear
 * time in its text; if its text has a bounded length and the calls per character are few, the total is linear.
 */
function meter() {
  let looks = 0
  let longest = 0
  let segmented = 0
  const look = (text: string) => {
    looks++
    longest = Math.max(longest, text.length)
  }
  const { exec } = RegExp.prototype
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    look(text)
    return exec.call(this, text)
  })
  const { segment } = Intl.Segmenter.prototype
  vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
    look(text)
    segmented += text.length
    return segment.call(this, text)
  })
  return { looks: () => looks, longest: () => longest, segmented: () => segmented }
}

const HOSTILE: Readonly<Record<string, string>> = {
  'letters without a space': 'a',
  'letters, then a dot at the end': 'ab',
  'only full stops': '.',
  'only commas': ',',
  'full stops and commas': '.,',
  'only spaces': ' ',
  'spaces around letters': `a${' '.repeat(300)}`,
  'only line ends': '\n',
  'only quotes': '"',
  'quotes after full stops': '.” ',
  'closing brackets after a full stop': '.)',
  abbreviations: 'Dr. ',
  initials: 'J. ',
  'abbreviations without a space': 'etc.',
  'combining marks': '\u0301',
  'a letter with marks': 'a\u0301\u0302',
  'surrogates in pairs': '😀',
  'halves of pairs': '\ud83d',
  'joined emoji': '👩‍',
  families: '👩‍👩‍👧',
  flags: '🇳🇵',
  conjuncts: 'क्',
  decimals: '1.',
  'decimals and spaces': '1. ',
  'clauses too short to cut at': 'a, ',
  'a space, then a long word': ` ${'b'.repeat(250)}`,
  'full-width marks': '、',
  'hangul jamo': 'ᄀ',
  'right to left marks': '\u200f',
}
const ENDINGS = ['', '.', ' x', 'a. B']

test.each(Object.entries(HOSTILE))('work and result are linear for %s', (_, unit) => {
  for (const ending of ENDINGS)
    for (const length of [4000, 32_000]) {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + ending
      const metered = meter()
      const segments = segmentText(text, 'en-US')
      vi.restoreAllMocks()
      expect(metered.longest()).toBeLessThanOrEqual(MAX_SENTENCE_UNITS)
      expect(metered.looks()).toBeLessThanOrEqual(10 * text.length)
      expect(metered.segmented()).toBeLessThanOrEqual(4 * text.length + MAX_SENTENCE_UNITS)
      const squeeze = (value: string) => value.replaceAll(/\s+/gu, '')
      expect(squeeze(segments.map((segment) => segment.text).join('')) === squeeze(text)).toBe(true)
      for (const segment of segments) expect(segment.text.length).toBeLessThanOrEqual(MAX_SENTENCE_UNITS)
    }
})
