import { contract, SOCKETS } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { expect, test } from 'vitest'
import { bundle } from '../test/support/bundle.ts'

test('every route and socket of the contract can be asked of the client', async () => {
  // A bundle holds the constants that its methods use, and no others.
  const code = await bundle(['Vaani'], 'vaani.ts')
  const operations = [...listRoutes(contract).map(({ metadata }) => metadata), ...Object.values(SOCKETS)]
  const missing = operations.filter(({ operation }) => !code.includes(`operation:\`${operation}\``))
  expect(missing.map(({ operation }) => operation)).toEqual([])
})
