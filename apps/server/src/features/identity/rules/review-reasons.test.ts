import { REVIEW_REASONS } from '@vaani/contracts'
import { expect, test } from 'vitest'
import { reasonsOfReview } from './review-reasons.ts'

test('an approval has no reasons, and a decline at least one', () => {
  expect(reasonsOfReview('approved', ['other'])).toEqual([])
  expect(reasonsOfReview('declined', [])).toMatchObject([{ code: 'other', check: 'review' }])
  expect(reasonsOfReview('declined', ['not_live', 'not_live'])).toMatchObject([{ code: 'not_live' }])
})

test('each reason has texts in English and Nepali', () => {
  for (const reason of reasonsOfReview('declined', REVIEW_REASONS)) {
    for (const text of [reason.message, reason.next_step]) expect(text).toMatch(/^[A-Z][\x20-\x7e]+\.$/)
    for (const text of Object.values(reason.translations?.ne ?? {}))
      expect(text).toMatch(/^[\u0900-\u097f ,]+।$/)
  }
})
