import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { listRoutes } from '../openapi/routes.ts'
import { migrationDocument } from '../openapi/migration-document.ts'
import { migrationContract } from './routes.ts'

test('the committed document is up to date', async () => {
  const committed = await readFile(new URL('../../openapi-migration.json', import.meta.url), 'utf8')
  expect(JSON.parse(committed), 'run `pnpm --filter @vaani/contracts openapi`').toEqual(migrationDocument())
})

test('an operation is named after its place in the contract, and needs a key of an operator', () => {
  const names = Object.keys(migrationContract.migration).map((name) => `migration.${name}`)
  const routes = listRoutes(migrationContract)
  expect(routes.map(({ metadata }) => metadata.operation)).toEqual(names)
  for (const { metadata } of routes) expect(metadata).toMatchObject({ access: 'key', scope: 'admin' })
})
