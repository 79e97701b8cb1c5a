import { expect, test } from 'vitest'
import { findMalformation } from './find-malformation.ts'

/** Makes a message like Node's, which keeps the first of several headers with the same name. */
function check(fields: readonly (readonly [name: string, value: string])[], httpVersion = '1.1') {
  const headers = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]).toReversed())
  return findMalformation({ httpVersion, headers, rawHeaders: fields.flat() })
}

test.each([
  'example.com',
  'example.com:8080',
  '127.0.0.1:8080',
  '[::1]:8080',
  '[2001:db8::1]',
  'localhost:',
  '',
])('accepts the host %j', (host) => {
  expect(check([['Host', host]])).toBeNull()
})

test('accepts HTTP/1.0 without a host', () => {
  expect(check([], '1.0')).toBeNull()
})

test('accepts chunked bodies', () => {
  expect(
    check([
      ['HOST', 'a'],
      ['Transfer-Encoding', 'Chunked'],
    ]),
  ).toBeNull()
})

test.each([
  ['no host', [], 'host'],
  [
    'two hosts',
    [
      ['Host', 'a'],
      ['host', 'b'],
    ],
    'host',
  ],
  [
    'the same host twice',
    [
      ['Host', 'a'],
      ['Host', 'a'],
    ],
    'host',
  ],
  ['a host with a path', [['Host', 'a/b']], 'host'],
  ['a host with a space', [['Host', 'a b']], 'host'],
  ['a host with a user', [['Host', 'b@a']], 'host'],
  ['a host with two ports', [['Host', 'a:1:2']], 'host'],
  [
    'another coding',
    [
      ['Host', 'a'],
      ['Transfer-Encoding', 'gzip, chunked'],
    ],
    'transfer-encoding',
  ],
  [
    'two keys',
    [
      ['Host', 'a'],
      ['Authorization', 'Bearer a'],
      ['authorization', 'Bearer b'],
    ],
    'authorization',
  ],
  [
    'two types',
    [
      ['Host', 'a'],
      ['Content-Type', 'a/a'],
      ['content-type', 'a/b'],
    ],
    'content-type',
  ],
] as const)('refuses %s', (_, fields, param) => {
  expect(check(fields)).toMatchObject({ code: 'invalid_request', param })
})

test.each(['0.9', '2.0'])('refuses HTTP/%s', (version) => {
  expect(check([['Host', 'a']], version)).toMatchObject({ code: 'invalid_request', param: null })
})
