import { expect, test } from 'vitest'
import { chacha20Words } from './chacha20.ts'

test('gives the key stream of RFC 8439, 2.3.2', () => {
  const key = Uint8Array.from({ length: 32 }, (_, index) => index)
  const words = chacha20Words({ key, nonce: [0x09_00_00_00, 0x4a_00_00_00, 0], count: 32 })
  // The example has the block counter 1.
  expect([...words.subarray(16)].map((word) => word.toString(16))).toEqual(
    (
      'e4e7f110 15593bd1 1fdd0f50 c47120a3 c7f4d1c7 368c033 9aaa2204 4e6cd4c3 ' +
      '466482d2 9aa9f07 5d7c214 a2028bd9 d19c12b5 b94e16de e883d0cb 4e3c50a2'
    ).split(' '),
  )
})
