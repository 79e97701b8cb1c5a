import { expect, test } from 'vitest'
import { isSandboxSpoof, sandboxChecks } from './sandbox.ts'

const outcomesOf = (external_id: string | null, livemode = false) =>
  sandboxChecks({ livemode, external_id })?.map(({ outcome }) => outcome)

test('whatever follows a colon is ignored', () => {
  expect(outcomesOf('test_approved:person-42')).toEqual(outcomesOf('test_approved'))
  expect(outcomesOf('test_approved')).toContain('passed')
  expect(isSandboxSpoof('test_spoof:person-42')).toBe(true)
})

test.each([null, 'person-42', 'test_approved-42', 'constructor', '__proto__', 'toString:1', ''])(
  'an external id of %j has no fixed outcome',
  (externalId) => {
    expect(outcomesOf(externalId)).toBeUndefined()
    expect(isSandboxSpoof(externalId)).toBe(false)
  },
)

test('a live key has no fixed outcome', () => {
  expect(outcomesOf('test_approved', true)).toBeUndefined()
})
