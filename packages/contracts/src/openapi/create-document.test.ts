import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { contract } from '../contract.ts'
import { createOpenApiDocument, listRoutes } from './create-document.ts'
import { fullDocument } from './full-document.ts'

interface Operation {
  operationId: string
  description: string
  parameters: { name: string; in: string; schema: object }[]
  requestBody?: { content: Record<string, { schema: { properties?: object } }> }
  responses: Record<string, { headers?: object; content?: Record<string, { schema: unknown; examples?: object }> }>
}
type Response = Operation['responses'][string]
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: object; responses: Record<string, Response> }
}
const document: Document = JSON.parse(JSON.stringify(fullDocument()))
const resolved = (response: Response | { $ref: string }): Response => {
  if (!('$ref' in response)) return response
  const found = document.components.responses[response.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`No ${response.$ref}`)
  return found
}
const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method]
  if (found === undefined) throw new Error(`No ${method} ${path}`)
  return found
}

test('the committed document is fresh', async () => {
  const committed = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(committed)).toEqual(document)
})

test('every route is an operation with a description, parameters and errors', () => {
  for (const route of listRoutes(contract)) {
    const found = operation(route.path.replace(/:([a-z_]+)/g, '{$1}'), route.method.toLowerCase())
    expect(found.operationId).toBe(route.metadata.operation)
    expect(found.description).not.toBe('')
    expect(Object.keys(found.responses).toSorted()).toEqual(Object.keys(route.responses).toSorted())
    for (const [status, either] of Object.entries(found.responses)) {
      const response = resolved(either)
      expect(response.headers).toHaveProperty('X-Request-Id')
      if (Number(status) >= 400) expect(Object.keys(response.content?.['application/json']?.examples ?? {})).not.toEqual([])
    }
  }
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '')
  expect(references.length).toBeGreaterThan(50)
  for (const name of new Set(references)) expect(document.components.schemas).toHaveProperty([name])
})

test('headers, coerced numbers, multipart, streams and sockets are described', () => {
  const names = (path: string, method: string) => operation(path, method).parameters.map(({ name }) => name)
  expect(names('/agent/calls', 'post')).toEqual(['Idempotency-Key'])
  expect(names('/identity/verifications/{verification_id}', 'get')).toEqual(['verification_id', 'include_media', 'X-Service-Signature'])
  expect(operation('/agent/calls', 'get').parameters.find(({ name }) => name === 'limit')?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 })
  const form = operation('/identity/kyc/v1', 'post').requestBody?.content['multipart/form-data']
  expect(Object.keys(form?.schema.properties ?? {})).toContain('liveness_video')
  const stream = operation('/v1/audio/stream', 'post').responses['200']
  expect(stream?.headers).toHaveProperty('x-stream-descriptor')
  expect(Object.keys(stream?.content ?? {})).toContain('audio/pcm')
  expect(operation('/v1/engine/stream', 'get')).toHaveProperty('x-websocket')
  expect(Object.keys(operation('/v1/chat/completions', 'post').responses['200']?.content ?? {})).toEqual(['text/event-stream', 'application/json'])
})

test('a part of the contract is a document of its own', () => {
  const part = createOpenApiDocument({ calls: contract.calls }, { title: 'Calls', version: '1.0.0' })
  expect(Object.keys(part['paths'] as object)).toEqual(['/agent/calls', '/agent/calls/{call_id}', '/agent/calls/{call_id}/cancel', '/agent/calls/{call_id}/recording'])
})
