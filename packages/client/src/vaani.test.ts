import path from 'node:path'
import { bundleNames } from '@vaani/browser'
import { contract, SOCKETS } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { expect, test } from 'vitest'
import { createService } from '../test/support/service.ts'
import { Vaani } from './vaani.ts'

test('every route and socket of the contract can be asked of the client', async () => {
  // A bundle holds the constants that its methods use, and no others.
  const code = await bundleNames(['Vaani'], path.join(import.meta.dirname, 'vaani.ts'))
  const operations = [...listRoutes(contract).map(({ metadata }) => metadata), ...Object.values(SOCKETS)]
  const missing = operations.filter(({ operation }) => !code.includes(`operation:\`${operation}\``))
  expect(missing.map(({ operation }) => operation)).toEqual([])
})

test.each(['onRequest', 'onResponse', 'logger'] as const)(
  '%s is told of each try, redacted',
  async (name) => {
    const told: unknown[] = []
    const tell = (...event: unknown[]): void => void told.push(...event)
    const listener = { onRequest: tell, onResponse: tell, logger: { debug: tell, warn: tell } }[name]
    const { options } = createService(() => Response.json({ call_id: 'call_1' }))
    await new Vaani({ ...options, [name]: listener }).calls.retrieve('call_1')
    expect(told).toContainEqual(
      expect.objectContaining({ operation: 'calls.retrieve', path: '/agent/calls/{call_id}' }),
    )
    expect(JSON.stringify(told)).not.toContain('sk_test_key')
  },
)
