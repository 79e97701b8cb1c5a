import { expect, test } from 'vitest'
import { keepEndToEnd } from './end-to-end.ts'

test('keeps what is for the far end, in its order and spelling', () => {
  const headers = [
    'X-One',
    '1',
    'connection',
    'X-Secret, close',
    'ETag',
    '"a"',
    'x-one',
    '2',
    'X-SECRET',
    'hop',
  ]
  expect(keepEndToEnd(headers)).toEqual(['X-One', '1', 'ETag', '"a"', 'x-one', '2'])
})

test('drops what a connection has for itself, and what is replaced', () => {
  const headers = [
    'Transfer-Encoding',
    'chunked',
    'Keep-Alive',
    'timeout=5',
    'TE',
    'trailers',
    'Host',
    'a',
    'Accept',
    '*/*',
  ]
  expect(keepEndToEnd(headers, ['host'])).toEqual(['Accept', '*/*'])
})
