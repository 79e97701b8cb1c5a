import path from 'node:path'
import { bundleNames } from '@vaani/browser'
import { contract, SOCKETS } from '@vaani/contracts'
import { migrationContract } from '@vaani/contracts/migration'
import { listRoutes } from '@vaani/contracts/openapi'
import { describe, expect, test } from 'vitest'
import { CALL } from '../test/faults/steps.ts'
import { createService, refusal } from '../test/support/service.ts'
import { ROUTE_TABLE } from './generated/route-table.ts'
import { Vaani } from './vaani.ts'

const SERVICE_OPERATIONS = [
  ...listRoutes(contract).map(({ metadata }) => metadata.operation),
  ...Object.values(SOCKETS).map(({ operation }) => operation),
]
const MIGRATION_OPERATIONS = listRoutes(migrationContract).map(({ metadata }) => metadata.operation)
const OPERATIONS = [...SERVICE_OPERATIONS, ...MIGRATION_OPERATIONS]

/** Checks whether a bundle contains the table row or the constant of an operation. */
function isIn(code: string, operation: string): boolean {
  const routes: Readonly<Record<string, { readonly method: string; readonly path: string }>> = ROUTE_TABLE
  const row = `\`${routes[operation]?.method} ${routes[operation]?.path}`
  return [`operation:\`${operation}\``, `${row} `, `${row}\``].some((text) => code.includes(text))
}

test('the client has every route and socket of the service, and none of the migration worker', async () => {
  // A bundle contains only the constants that its methods use.
  const code = await bundleNames(['Vaani'], path.join(import.meta.dirname, 'vaani.ts'))
  expect(OPERATIONS.filter((operation) => isIn(code, operation))).toEqual(SERVICE_OPERATIONS)
})

/** Namespaces of the operations whose group is not one namespace of the client. */
const NAMESPACES: Readonly<Record<string, string>> = {
  'models.chat': 'chat',
  'models.ocr': 'ocr',
  'models.ocrDocument': 'ocr',
  'models.respond': 'chat',
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
  'the file of %s contains exactly the operations of its namespace',
  async (name) => {
    const create = `create${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const file = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const code = await bundleNames([create], path.join(import.meta.dirname, `resources/${file}.ts`))
    const asked = OPERATIONS.filter((operation) => isIn(code, operation))
    const expected = OPERATIONS.filter((operation) => namespaceOf(operation) === name)
    expect(asked).toEqual(expected)
  },
)

test.each(['onRequest', 'onResponse', 'logger'] as const)(
  '%s receives each attempt, redacted',
  async (name) => {
    const reported: unknown[] = []
    const report = (...event: unknown[]): void => void reported.push(...event)
    const listener = { onRequest: report, onResponse: report, logger: { debug: report, warn: report } }[name]
    const { options } = createService(() => Response.json(CALL))
    await new Vaani({ ...options, [name]: listener }).calls.retrieve('call_1')
    expect(reported).toContainEqual(
      expect.objectContaining({ operation: 'calls.retrieve', path: '/agent/calls/{call_id}' }),
    )
    expect(JSON.stringify(reported)).not.toContain('sk_test_key')
  },
)

test('withOptions returns a client with the same options except the given ones', async () => {
  const { options, requests } = createService((_, number) =>
    number < 3 ? refusal(503, 'service_unavailable') : Response.json(CALL),
  )
  const vaani = new Vaani({ ...options, maxRetries: 0 })
  await expect(vaani.calls.retrieve('call_1')).rejects.toMatchObject({ attempts: 1 })
  await expect(vaani.withOptions({ maxRetries: 1 }).calls.retrieve('call_1')).resolves.toEqual(CALL)
  expect(requests).toHaveLength(3)
})

describe('request', () => {
  test('sends a request without a method of its own, with the usual key, retries and errors', async () => {
    const seen: unknown[] = []
    const vaani = new Vaani({
      ...createService(() => Response.json({})).options,
      async fetch(url, { method, body, headers }) {
        const sent = new Headers(headers)
        seen.push([method, url, body, sent.get('authorization'), sent.has('idempotency-key')])
        return seen.length === 1
          ? refusal(503, 'service_unavailable')
          : Response.json(['any', 'answer'], { status: 201 })
      },
    })
    const answer = vaani.request<string[]>('POST', '/v2/new', { query: { dry: true }, json: { name: 'a' } })
    expect(await answer).toEqual(['any', 'answer'])
    const sent = [
      'POST',
      'https://vaani.example.com/v2/new?dry=true',
      '{"name":"a"}',
      'Bearer sk_test_key',
      true,
    ]
    expect(seen).toEqual([sent, sent])
  })

  test('does not retry a PATCH that may have taken effect', async () => {
    const { options, requests } = createService(() => refusal(500, 'internal_error'))
    const failed = new Vaani(options).request('PATCH', '/v2/new', { json: {} })
    await expect(failed).rejects.toMatchObject({ operation: 'request', status: 500 })
    expect(requests).toHaveLength(1)
  })

  test.each([
    '@evil.example',
    '.evil.example',
    ':80',
    '',
    'https://evil.example/',
    '/a?b=c',
    '/a#b',
    '/{id}',
  ])('refuses the path %j, which could send the key elsewhere', async (path) => {
    const { options, requests } = createService(() => Response.json({}))
    expect(() => new Vaani(options).request('GET', path)).toThrow(TypeError)
    expect(requests).toHaveLength(0)
  })
})

describe('asResponse', () => {
  test('returns the unread response after a retry', async () => {
    const { options, requests, clock } = createService((_, number) =>
      number === 1 ? refusal(503, 'service_unavailable') : new Response('any bytes', { status: 200 }),
    )
    const response = await new Vaani(options).calls.retrieve('call_1').asResponse()
    expect(await response.text()).toBe('any bytes')
    expect(requests).toHaveLength(2)
    expect(clock.pending()).toBe(0)
  })

  test('throws refusals', async () => {
    const { options } = createService(() => refusal(404, 'call_not_found'))
    const failed = new Vaani(options).calls.retrieve('call_1').asResponse()
    await expect(failed).rejects.toMatchObject({ code: 'call_not_found' })
  })

  test('fails if the body has already been read', async () => {
    const { options } = createService(() => Response.json(CALL))
    const call = new Vaani(options).calls.retrieve('call_1')
    await call
    await expect(call.asResponse()).rejects.toThrow(TypeError)
  })
})
