import { expect, test } from 'vitest'

import { packageOf, readImports } from './imports.ts'

const runTime = (specifier: string) => ({ specifier, isTypeOnly: false })
const typeOnly = (specifier: string) => ({ specifier, isTypeOnly: true })

test.each([
  ["import a from 'one'", [runTime('one')]],
  ["import 'one'", [runTime('one')]],
  ["import * as a from 'one'", [runTime('one')]],
  ["import type { A } from 'one'", [typeOnly('one')]],
  ["import {\n  a,\n  type B,\n} from 'one'", [runTime('one')]],
  ["export { a } from './one.ts'", [runTime('./one.ts')]],
  ["export * from 'one'", [runTime('one')]],
  ["export type { A } from 'one'", [typeOnly('one')]],
  ["  const a = await import('one')", [runTime('one')]],
  ["let a: typeof import('one')", [typeOnly('one')]],
  ["export const a = 1\nimport type { B } from 'one'", [typeOnly('one')]],
])('%j', (source, expected) => {
  expect(readImports(source)).toEqual(expected)
})

test.each([
  "/**\n * import { a } from 'one'\n * await import('one')\n */",
  "// import a from 'one'",
  "export const from = 'one'",
  "export const a = Array.from('one')",
])('names nothing: %j', (source) => {
  expect(readImports(source)).toEqual([])
})

test('a specifier belongs to its package', () => {
  expect(packageOf('@vaani/client/node')).toBe('@vaani/client')
  expect(packageOf('zod/v4')).toBe('zod')
})
