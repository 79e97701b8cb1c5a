import { expect, test } from 'vitest'
import { redactMedia, redactPerson } from './redact.ts'

const verification = {
  verification_id: 'ver_1',
  status: 'approved',
  reasons: [{ code: 'image_glare' }],
  external_id: 'person-42',
  extracted: { full_name: 'ANNA', mrz: { lines: ['P<UTO'] } },
  created_at: '2026-11-22T00:00:00.000Z',
}
const redacted = { ...verification, external_id: null, extracted: null }

test('ids, states and times stay, and the person goes', () => {
  expect(JSON.parse(redactPerson(JSON.stringify(verification)))).toEqual(redacted)
  const event = { event_id: 'evt_1', type: 'verification.approved', data: verification }
  expect(JSON.parse(redactPerson(JSON.stringify(event)))).toEqual({ ...event, data: redacted })
})

test('notes go with the media, and the person stays', () => {
  const review = {
    verification,
    votes: [{ reviewer: 'staff-7', decision: 'approved', note: 'Her sister came.' }],
  }
  expect(JSON.parse(redactMedia(JSON.stringify(review)))).toEqual({
    verification: { ...verification, extracted: null },
    votes: [{ reviewer: 'staff-7', decision: 'approved', note: null }],
  })
})

test('a text without personal data stays as it is', () => {
  const text = JSON.stringify(redacted)
  expect(redactPerson(text)).toBe(text)
})
