import type { DocumentedRoute } from '@vaani/contracts/openapi'
import fc from 'fast-check'
import { z } from 'zod'
import { hostileName, hostileText } from './hostile.ts'

const NUMBERS = [
  '1',
  '20',
  '100',
  '0',
  '101',
  '-1',
  '1.5',
  '1e2',
  '0x10',
  '',
  ' 5',
  '9'.repeat(400),
  '١',
  'NaN',
  'true',
]
const IDS = ['call', 'ver', 'vox', 'batch', 'evt', 'dlv', 'whe', 'acct', 'key', 'cid'].flatMap((prefix) => [
  `${prefix}_01kamx3v6pf9hr2x8c0q5d7etn`,
  `${prefix}_81kamx3v6pf9hr2x8c0q5d7etn`,
])
const ESCAPES = ['%', '%zz', '%ff', '%00', '%ED%A0%80', '%E2%82', '+', '%2B', '%26a=1']
const MAX_LENGTH = 3000

const escaped = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, MAX_LENGTH)

/** Generates query strings for a route, already encoded. */
export function queryOf(route: DocumentedRoute): fc.Arbitrary<string> {
  const shape = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : []
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(shape.length > 0 ? shape : ['a'])) },
    { weight: 1, arbitrary: hostileName.map(escaped) },
    { weight: 1, arbitrary: fc.constantFrom('limit[]', 'limit[0]', '__proto__', 'constructor', '', '%zz') },
  )
  const value = fc.oneof(
    fc.constantFrom(...NUMBERS.map(escaped), ...IDS),
    fc.constantFrom('queued', 'pending', 'dead', 'extracted', 'fuzzer', ...ESCAPES),
    hostileText.map(escaped),
  )
  const pairs = fc.array(
    fc
      .tuple(name, value, fc.boolean())
      .map(([name, value, isBare]) => (isBare && value === '' ? name : `${name}=${value}`)),
    { minLength: 1, maxLength: 4 },
  )
  return fc.oneof(
    { weight: shape.length > 0 ? 2 : 8, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: pairs.map((list) => list.join('&')) },
  )
}
