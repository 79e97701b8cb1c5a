import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64Length, encodeBase64 } from './base64.ts'

async function* from(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

test('encodes the whole correctly whatever the chunk boundaries', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 })), async (chunks) => {
      const encoded = await Array.fromAsync(encodeBase64(from(chunks)))
      const whole = Buffer.concat(chunks)
      expect(Buffer.concat(encoded).toString('latin1')).toBe(whole.toString('base64'))
      expect(base64Length(whole.length)).toBe(Buffer.concat(encoded).length)
    }),
  ))

test('encodes each chunk as it arrives, without reading ahead', async () => {
  let read = 0
  async function* source() {
    for (;;) {
      read += 1
      yield new Uint8Array(30)
    }
  }
  const encoded = encodeBase64(source())
  for (let number = 1; number <= 5; number += 1) {
    expect((await encoded.next()).value).toHaveLength(40)
    expect(read).toBe(number)
  }
})

test('ends its source when the loop is left', async () => {
  let ended = false
  async function* source() {
    try {
      for (;;) yield new Uint8Array(3)
    } finally {
      ended = true
    }
  }
  const encoded = encodeBase64(source())
  await encoded.next()
  await encoded.return(undefined)
  expect(ended).toBe(true)
})
