import { expect, test } from 'vitest'
import { readVerification } from './read-reported.ts'

test('null in a verification may stand for what is absent, as version 1 may write it', () => {
  const verification = { verification_id: 'ver_1', decision: 'approved', scores: {}, reasons: null }
  expect(readVerification({ ...verification, created_at: null, status: null })).toMatchObject({
    verification_id: 'ver_1',
    decision: 'approved',
  })
  expect(readVerification({ ...verification, decision: null })).toBeNull()
})
