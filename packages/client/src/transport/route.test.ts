import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOf, type Route } from './route.ts'

const route: Route = {
  operation: 'calls.cancel',
  method: 'POST',
  path: '/agent/calls/{call_id}/cancel',
}
const baseUrl = 'https://vaani.example.com/api'
const addressFor = (id: string): string => addressOf(baseUrl, { route, id })

test('any text as an id stays within its own path segment, or is refused', () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webPath()), (id) => {
      let address: string
      try {
        address = addressFor(id)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        return
      }
      const { origin, pathname, search, hash } = new URL(address)
      expect([origin, search, hash]).toEqual(['https://vaani.example.com', '', ''])
      const segments = pathname.split('/')
      expect(segments.toSpliced(4, 1)).toEqual(['', 'api', 'agent', 'calls', 'cancel'])
      expect(decodeURIComponent(segments[4] ?? '')).toBe(id)
    }),
    { numRuns: 2000 },
  ))

test.each(['', '.', '..', '\ud800', 'a\udfff'])('refuses %j without showing it', (id) => {
  expect(() => addressFor(id)).toThrow(new TypeError('calls.cancel: call_id must be an id'))
})

test.each(['../keys', '..\\keys', '%2e%2e', '...', 'a/b', 'a?b', 'a#b', '//evil.example', '@evil', ' '])(
  '%j stays within its path segment',
  (id) => {
    const { host, pathname } = new URL(addressFor(id))
    expect(host).toBe('vaani.example.com')
    expect(pathname).toMatch(/^\/api\/agent\/calls\/[^/]+\/cancel$/)
  },
)

test('refuses a missing id', () => {
  expect(() => addressOf(baseUrl, { route })).toThrow(TypeError)
  expect(() => addressOf(baseUrl, { route, id: 5 })).toThrow(TypeError)
})

describe('a query', () => {
  const list: Route = { ...route, path: '/agent/calls' }
  const queryOf = (query: object): URL => new URL(addressOf(baseUrl, { route: list, query }))

  test('with any text arrives unchanged', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (cursor) => {
        expect(queryOf({ cursor }).searchParams.get('cursor')).toBe(cursor)
      }),
    ))

  test('omits values that are not given', () => {
    expect(queryOf({ limit: 5, cursor: undefined, status: null }).search).toBe('?limit=5')
    expect(addressOf(baseUrl, { route: list, query: {} })).toBe(`${baseUrl}/agent/calls`)
  })
})
