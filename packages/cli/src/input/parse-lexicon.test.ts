import { expect, test } from 'vitest'
import { parseLexicon } from './parse-lexicon.ts'

const entries = [{ term: 'KYC', spoken_as: 'know your customer' }]

test('takes a list of entries, or an object that was printed, with its version', () => {
  expect(parseLexicon(JSON.stringify(entries))).toEqual({ entries })
  const printed = { language: 'en-US', livemode: false, entries, version: 'abc', updated_at: '' }
  expect(parseLexicon(JSON.stringify(printed))).toEqual({ entries, version: 'abc' })
})

test('skips a byte order mark', () => {
  expect(parseLexicon(`\ufeff${JSON.stringify(entries)}`)).toEqual({ entries })
})

test.each(['', 'KYC=know', '{}', 'null', '[1]', '[{"term":"a"}]', '{"entries":{}}'])('refuses %j', (text) => {
  expect(() => parseLexicon(text)).toThrow(/^the file must be JSON/)
})
