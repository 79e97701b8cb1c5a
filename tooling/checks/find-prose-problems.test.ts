import { expect, test } from 'vitest'

import { findDecisionProblems, findSubjectProblems } from './find-prose-problems.ts'

test('a decision has at most 300 words', () => {
  const decisions = { 'short.md': 'word '.repeat(300), 'long.md': 'word\n'.repeat(301) }
  expect(findDecisionProblems(decisions)).toEqual([expect.stringContaining('long.md has 301 words')])
})

test.each(['webhooks: sign with the new secret', 'speech, chat: share the breaker'])(
  'the subject “%s” is fine',
  (subject) => {
    expect(findSubjectProblems([subject])).toEqual([])
  },
)

test.each(['Sign with the new secret', 'webhooks:', `webhooks: ${'x'.repeat(63)}`])(
  'the subject “%s” is refused',
  (subject) => {
    expect(findSubjectProblems([subject])).toHaveLength(1)
  },
)
