import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../../../../interop/phone-numbers.json' with { type: 'json' }
import { isE164, phoneSchema } from './phone.ts'

test.for(vectors)('$input: $why', ({ input, valid }) => {
  expect(isE164(input)).toBe(valid)
  expect(phoneSchema.safeParse(input).success).toBe(valid)
})

test('every strictly valid number is valid', () => {
  for (const { input, valid } of vectors) if (isE164(input, { strict: true })) expect(valid).toBe(true)
})

test('strict rejects ranges that no numbering plan has', () => {
  expect(isE164('+9771660012345', { strict: true })).toBe(false)
  expect(isE164('+9779812345678', { strict: true })).toBe(true)
})

test('no text throws, and every accepted text is a plus sign and 7 to 15 digits', () => {
  const numberLike = fc.stringMatching(/^\+?[\d ().;=-]{0,20}$/)
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), numberLike), (text) => {
      if (isE164(text)) expect(text).toMatch(/^\+[1-9]\d{6,14}$/)
    }),
  )
})

test('a rejected number has its error code, and the message does not repeat the number', () => {
  const issue = phoneSchema.safeParse('+977100').error?.issues[0]
  expect(issue).toMatchObject({ code: 'custom', params: { error_code: 'invalid_phone' } })
  expect(issue?.message).not.toContain('977100')
})
