import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createStreamToken, referenceOf } from './stream-token.ts'

const create = () => createStreamToken({ reference: 'abc', randomBytes, expiresAtMs: 1000 })

test('a token names its call, and is good once', () => {
  const token = create()
  expect(referenceOf(token.value)).toBe('abc')
  expect([token.redeem(token.value, 0), token.redeem(token.value, 0)]).toEqual([true, false])
})

test('a token is good until it expires, and a wrong guess does not use it up', () => {
  const token = create()
  expect(token.redeem('abc.', 0)).toBe(false)
  expect(token.redeem(`${token.value}x`, 0)).toBe(false)
  expect(create().redeem(token.value, 0)).toBe(false)
  expect(token.redeem(token.value, 1000)).toBe(false)
  expect(token.redeem(token.value, 999)).toBe(true)
})
