import { describe, expect, test } from 'vitest'
import { noticeOf } from './notices.ts'

const byCountry = (number: string, language = 'en-US') => noticeOf('by_country', { number, language })

describe('by the law of the number’s country', () => {
  test.each([
    ['+4930123456', 'This is an artificial voice, and this call is recorded.'],
    ['+12125550123', 'This is an artificial voice, and this call is recorded.'],
    ['+442079460018', 'This call is recorded.'],
    ['+16135550123', 'This call is recorded.'],
    ['+9779812345678', null],
    ['+999', null],
  ])('%s: %s', (number, notice) => expect(byCountry(number)).toBe(notice))

  test('in the language of the call', () => {
    expect(byCountry('+33142685300', 'fr-CA')).toBe(
      'Vous entendez une voix artificielle, et cet appel est enregistré.',
    )
    expect(byCountry('+33142685300', 'zh-CN')).toBe('no_words')
  })
})

test('the operator may want it always, or never', () => {
  const call = { number: '+9779812345678', language: 'ne-NP' }
  expect(noticeOf('always', call)).toBe('यो कृत्रिम आवाज हो, र यो कल रेकर्ड हुँदैछ।')
  expect(noticeOf('off', { ...call, number: '+4930123456' })).toBeNull()
})
