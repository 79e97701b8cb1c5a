import { contract } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { expect, test } from 'vitest'
import { createFieldFilter } from './known-fields.ts'

const filter = createFieldFilter(listRoutes(contract))

test.each([
  ['calls.place', 'to', 'to'],
  ['calls.place', 'content-type', 'content-type'],
  ['calls.place', 'idempotency-key', 'idempotency-key'],
  ['calls.list', 'query', 'query'],
  ['batches.create', 'requests.17.custom_id', 'requests.*.custom_id'],
  ['identity.submitV1', 'front_image', 'front_image'],
  ['models.chat', 'messages.0.content', 'messages.*.content'],
  // Names that a caller chose.
  ['calls.place', '+9779812345678', null],
  ['calls.place', 'sk_live_0123456789abcdefghij', null],
  ['calls.place', '9812345678', null],
  ['calls.place', 'metadata.sita@example.com', 'metadata'],
  ['calls.place', 'metadata.9812345678', 'metadata'],
  ['calls.place', 'metadata.9812345678.sita', 'metadata'],
  ['calls.place', 'front_image', null],
  ['nobody.knows', 'to', null],
  ['calls.place', null, null],
])('of a problem of %s with %s, it keeps %s', (operation, param, kept) => {
  expect(filter(operation, param)).toBe(kept)
})
