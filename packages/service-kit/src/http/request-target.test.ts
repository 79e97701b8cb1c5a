import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRoutableTarget } from './request-target.ts'

test.each([
  ['/agent/calls', '/agent/calls'],
  ['/agent/calls?limit=1', '/agent/calls?limit=1'],
  ['/identity/subjects/a%2Fb%20%E2%82%AC', '/identity/subjects/a%2Fb%20%E2%82%AC'],
  ['http://example.com/agent/calls?limit=1', '/agent/calls?limit=1'],
  ['HTTPS://user@example.com:8443/agent', '/agent'],
  ['http://example.com', '/'],
  ['http://example.com?limit=1', '/?limit=1'],
  ['*', '/*'],
  ['', '/'],
  ['example.com:443', '/example.com:443'],
  ['ftp://example.com/agent', '/ftp://example.com/agent'],
])('%s is routed as %s', (target, routable) => {
  expect(toRoutableTarget(target)).toBe(routable)
})

test.each([
  ['/agent/calls/%zz', '/agent/calls/%00zz'],
  ['/agent/calls/%', '/agent/calls/%00'],
  ['/agent/calls/%f', '/agent/calls/%00f'],
  ['/agent/calls/%ff', '/agent/calls/%00'],
  ['/agent/calls/%ED%A0%80', '/agent/calls/%00'],
  ['/agent/calls/%C0%80', '/agent/calls/%00'],
  ['/agent/%20calls/%E2%82', '/agent/%20calls/%00'],
  ['/agent/calls?cursor=%zz&limit=%31', '/agent/calls?cursor=%00zz&limit=%31'],
])('%s gets U+0000 for invalid UTF-8', (target, routable) => {
  expect(toRoutableTarget(target)).toBe(routable)
})

test('any target becomes one that begins with a slash and can be decoded, idempotently', () => {
  const hostile = fc.array(
    fc.constantFrom('%', '%2', '%25', '%ff', '%E2%82%AC', '/', '?', '#', 'a', 'http://', '*'),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme-ascii' }),
        hostile.map((parts) => parts.join('')),
      ),
      (target) => {
        const routable = toRoutableTarget(target)
        expect(routable.startsWith('/')).toBe(true)
        expect(() => decodeURIComponent(routable)).not.toThrow()
        expect(toRoutableTarget(routable)).toBe(routable)
      },
    ),
  )
})
