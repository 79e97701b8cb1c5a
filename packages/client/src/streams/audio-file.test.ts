import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutInto, cuts, streamOf } from '../../test/support/cut.ts'
import { createService } from '../../test/support/service.ts'
import { TruncatedStreamError } from '../errors.ts'
import { createCalls } from '../resources/calls.ts'

const recordingOf = (bytes: Uint8Array, sizes: readonly number[], headers: Record<string, string> = {}) =>
  createCalls(
    createService(() => new Response(streamOf(cutInto(bytes, sizes)), { headers })).options,
  ).recording('call_1')

test('is complete whatever the chunk boundaries, read whole and piece by piece', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array(), cuts, async (bytes, sizes) => {
      const file = await recordingOf(bytes, sizes, { 'content-type': 'audio/wav' })
      expect(file.contentType).toBe('audio/wav')
      expect(await file.bytes()).toEqual(Uint8Array.from(bytes))
      const pieces = await Array.fromAsync(await recordingOf(bytes, sizes))
      expect(pieces.flatMap((piece) => [...piece])).toEqual([...bytes])
    }),
  ))

test('fails if it is shorter than its content-length', async () => {
  const file = await recordingOf(new Uint8Array(90), [40], { 'content-length': '100' })
  await expect(file.bytes()).rejects.toBeInstanceOf(TruncatedStreamError)
})

test('does not compare a compressed file with its content-length', async () => {
  const headers = { 'content-length': '100', 'content-encoding': 'gzip' }
  await expect((await recordingOf(new Uint8Array(90), [40], headers)).bytes()).resolves.toHaveLength(90)
})
