import * as contracts from '@vaani/contracts'
import { expect, test } from 'vitest'
import {
  CALL_STATUSES,
  DELIVERY_STATUSES,
  EMOTIONS,
  EVENT_TYPES,
  REVIEW_DECISIONS,
  SCOPES,
  SIGN_WITH,
  VERIFICATION_STATUSES,
} from './choices.ts'

test('options accept all values of the contracts', () => {
  expect(CALL_STATUSES).toEqual(contracts.CALL_STATUSES)
  expect(DELIVERY_STATUSES).toEqual(contracts.DELIVERY_STATUSES)
  expect(EMOTIONS).toEqual(contracts.EMOTIONS)
  expect(EVENT_TYPES).toEqual(contracts.WEBHOOK_EVENT_TYPES)
  expect(VERIFICATION_STATUSES).toEqual(contracts.VERIFICATION_STATUSES)
  expect(REVIEW_DECISIONS).toEqual(contracts.reviewSchema.shape.decision.options)
  expect(SIGN_WITH).toEqual(contracts.SIGN_WITH)
  expect(SCOPES).toEqual(contracts.SCOPES)
})
