import path from 'node:path'
import { bundleNames } from '@vaani/browser'
import { contract, SOCKETS } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { expect, test } from 'vitest'
import { createService } from '../test/support/service.ts'
import { Vaani } from './vaani.ts'

const OPERATIONS = [
  ...listRoutes(contract).map(({ metadata }) => metadata.operation),
  ...Object.values(SOCKETS).map(({ operation }) => operation),
]

test('every route and socket of the contract can be asked of the client', async () => {
  // A bundle holds the constants that its methods use, and no others.
  const code = await bundleNames(['Vaani'], path.join(import.meta.dirname, 'vaani.ts'))
  const missing = OPERATIONS.filter((operation) => !code.includes(`operation:\`${operation}\``))
  expect(missing).toEqual([])
})

/** Where callers look for an operation whose group is not a namespace of the client, or is more than one. */
const NAMESPACES: Readonly<Record<string, string>> = {
  'models.chat': 'chat',
  'models.ocr': 'ocr',
  'models.speech': 'speech',
  'synthesis.clone': 'voices',
  'synthesis.languages': 'speech',
  'synthesis.socket': 'realtime',
  'synthesis.stream': 'speech',
  'synthesis.synthesize': 'speech',
}
const namespaceOf = (operation: string): string =>
  NAMESPACES[operation] ?? operation.slice(0, operation.indexOf('.'))

test.each([...new Set(OPERATIONS.map(namespaceOf))])(
  'the file of %s asks the operations of its group, and no others',
  async (name) => {
    const create = `create${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const code = await bundleNames([create], path.join(import.meta.dirname, `resources/${name}.ts`))
    const asked = [...code.matchAll(/operation:`([a-zA-Z0-9.]+)`/g)].map((match) => match[1])
    const expected = OPERATIONS.filter((operation) => namespaceOf(operation) === name)
    expect(asked.toSorted()).toEqual(expected.toSorted())
  },
)

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
