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

test('an id of any text leads to its own path, or is refused', () =>
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

test.each(['', '.', '..', '\ud800', 'a\udfff'])('%j is refused, without being shown', (id) => {
  expect(() => addressFor(id)).toThrow(new TypeError('calls.cancel: call_id must be an id'))
})

test.each(['../keys', '..\\keys', '%2e%2e', '...', 'a/b', 'a?b', 'a#b', '//evil.example', '@evil', ' '])(
  '%j stays within its path',
  (id) => {
    const { host, pathname } = new URL(addressFor(id))
    expect(host).toBe('vaani.example.com')
    expect(pathname).toMatch(/^\/api\/agent\/calls\/[^/]+\/cancel$/)
  },
)

test('an id that is missing is refused', () => {
  expect(() => addressOf(baseUrl, { route })).toThrow(TypeError)
  expect(() => addressOf(baseUrl, { route, id: 5 })).toThrow(TypeError)
})

describe('a query', () => {
  const list: Route = { ...route, path: '/agent/calls' }
  const queryOf = (query: object): URL => new URL(addressOf(baseUrl, { route: list, query }))

  test('of any text arrives as it was', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (cursor) => {
        expect(queryOf({ cursor }).searchParams.get('cursor')).toBe(cursor)
      }),
    ))

  test('is without what is not given', () => {
    expect(queryOf({ limit: 5, cursor: undefined, status: null }).search).toBe('?limit=5')
    expect(addressOf(baseUrl, { route: list, query: {} })).toBe(`${baseUrl}/agent/calls`)
  })
})
