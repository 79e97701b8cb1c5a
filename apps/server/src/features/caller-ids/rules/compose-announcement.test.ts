import { CALLER_ID_LANGUAGES } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { composeAnnouncement } from './compose-announcement.ts'

test('a call says who asked for it, what to do otherwise, and each digit of the code, twice', () => {
  expect(composeAnnouncement({ language: 'en-US', account: 'Everest Bank', code: '042917' })).toBe(
    'Hello. Everest Bank wants to show this phone number in its calls. If you did not ask for this call, please hang up, and tell nobody the code. ' +
      'The code is: zero, four, two, nine, one, seven. Once more, the code is: zero, four, two, nine, one, seven. Goodbye.',
  )
})

test.each(CALLER_ID_LANGUAGES)(
  '%s has a word of its own for each digit, and no digits in figures',
  (language) => {
    const text = composeAnnouncement({ language, account: 'A', code: '0123456789' })
    const spoken = /: ([^.।]+)[.।]/.exec(text)?.[1]?.split(', ') ?? []
    expect(new Set(spoken).size).toBe(10)
    expect(text.split(spoken.join(', '))).toHaveLength(3)
    expect(text).not.toMatch(/\d/)
  },
)
