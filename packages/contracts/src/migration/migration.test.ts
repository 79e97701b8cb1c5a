import { expect, test } from 'vitest'
import { listRoutes } from '../openapi/routes.ts'
import { migrationContract } from './routes.ts'

test('an operation is named after its place in the contract, and needs a key of an operator', () => {
  const names = Object.keys(migrationContract.migration).map((name) => `migration.${name}`)
  const routes = listRoutes(migrationContract)
  expect(routes.map(({ metadata }) => metadata.operation)).toEqual(names)
  for (const { metadata } of routes) expect(metadata).toMatchObject({ access: 'key', scope: 'admin' })
})
