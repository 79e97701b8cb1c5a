import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBreakingChanges } from './compare-documents.ts'
import type { JsonObject } from './json.ts'

const current: JsonObject = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../packages/contracts/openapi.json'), 'utf8'),
)

type Schema = Record<string, unknown>

/** Creates a document of one route with the field `field` in its request body, and in its response or webhook. */
const documentOf = (field: { sent?: Schema; received?: Schema; webhook?: Schema }): JsonObject => {
  const media = (schema: Schema | undefined) => ({
    content: { 'application/json': { schema: { type: 'object', properties: { field: schema ?? {} } } } },
  })
  return {
    paths: { '/a': { post: { requestBody: media(field.sent), responses: { 200: media(field.received) } } } },
    webhooks: { w: { post: { requestBody: media(field.webhook), responses: {} } } },
  }
}
const changeOf = (
  direction: 'sent' | 'received' | 'webhook',
  before: Schema,
  after: Schema,
): readonly string[] =>
  findBreakingChanges(documentOf({ [direction]: before }), documentOf({ [direction]: after }))

test('an unchanged document breaks nothing', () => {
  expect(findBreakingChanges(current, current)).toEqual([])
})

/** From narrower to wider: a change either way breaks one direction. */
const wider: readonly (readonly [string, Schema, Schema])[] = [
  ['null', { type: 'string' }, { type: ['string', 'null'] }],
  ['null as an alternative', { type: 'string' }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ['any type', { type: 'string' }, {}],
  ['fractions', { type: 'integer' }, { type: 'number' }],
  ['a higher maximum', { type: 'integer', maximum: 5 }, { type: 'integer', maximum: 6 }],
  ['no maximum', { type: 'string', maxLength: 5 }, { type: 'string' }],
  ['a lower minimum', { type: 'array', minItems: 2 }, { type: 'array', minItems: 1 }],
  ['no minimum', { type: 'integer', minimum: -1 }, { type: 'integer' }],
  ['no pattern', { type: 'string', pattern: '^a' }, { type: 'string' }],
  ['no format', { type: 'string', format: 'uuid' }, { type: 'string' }],
  ['any value', { type: 'string', enum: ['a'] }, { type: 'string' }],
  [
    'wider items',
    { type: 'array', items: { type: 'integer' } },
    { type: 'array', items: { type: 'number' } },
  ],
  [
    'an optional field',
    { type: 'object', properties: { a: {} }, required: ['a'] },
    { type: 'object', properties: { a: {} } },
  ],
  [
    'other fields',
    { type: 'object', additionalProperties: false },
    { type: 'object', additionalProperties: true },
  ],
]

describe.each(wider)('%s', (_, narrow, wide) => {
  test('may be added to requests, but not to responses', () => {
    expect(changeOf('sent', narrow, wide)).toEqual([])
    expect(changeOf('received', narrow, wide)).toHaveLength(1)
    expect(changeOf('webhook', narrow, wide)).toHaveLength(1)
  })

  test('may be withdrawn from responses, but not from requests', () => {
    expect(changeOf('received', wide, narrow)).toEqual([])
    expect(changeOf('webhook', wide, narrow)).toEqual([])
    expect(changeOf('sent', wide, narrow)).toHaveLength(1)
  })
})

test('list values may be added in both directions, but withdrawn only from responses', () => {
  const [few, more] = [{ enum: ['a'] }, { enum: ['a', 'b'] }]
  expect(changeOf('sent', few, more)).toEqual([])
  expect(changeOf('received', few, more)).toEqual([])
  expect(changeOf('received', more, few)).toEqual([])
  expect(changeOf('sent', more, few)).toEqual(['POST /a body.field: no longer takes "b"'])
})

test('a constant must not change', () => {
  expect(changeOf('received', { const: 'a' }, { const: 'b' })).toEqual([
    'POST /a 200.field: is no longer "a"',
  ])
  expect(changeOf('received', { const: 'a' }, { enum: ['a', 'b'] })).toEqual([])
})

test('a union of named objects may grow', () => {
  const named = (name: string) => ({ type: 'object', properties: { type: { const: name } } })
  const [few, more] = [{ oneOf: [named('a')] }, { oneOf: [named('a'), named('b')] }]
  expect(changeOf('received', few, more)).toEqual([])
  expect(changeOf('sent', more, few)).toEqual(['POST /a body.field: no longer takes object type "b"'])
})

test('a change within an alternative names the field', () => {
  const union = (type: string) => ({
    oneOf: [{ type: 'object', properties: { type: { const: 'a' }, at: { type } } }],
  })
  expect(changeOf('received', union('string'), union('integer'))).toEqual([
    'POST /a 200.field.at: was string, and is integer',
  ])
})

test('another default, and a keyword that is not understood', () => {
  expect(changeOf('sent', { default: 1 }, { default: 2 })).toEqual([
    'POST /a body.field: its default has changed',
  ])
  expect(changeOf('sent', {}, { not: { type: 'string' } })).toEqual(['POST /a body.field: `not` has changed'])
})

test('a schema that contains itself', () => {
  const tree = (type: string) => ({
    ...documentOf({ received: { $ref: '#/components/schemas/Tree' } }),
    components: {
      schemas: {
        Tree: {
          type: 'object',
          properties: { leaf: { type }, inner: { $ref: '#/components/schemas/Tree' } },
        },
      },
    },
  })
  expect(findBreakingChanges(tree('string'), tree('integer'))).toEqual([
    'POST /a 200.field.leaf: was string, and is integer',
  ])
})

/** Edits of the real document, and the field that the message must name. */
const edits: readonly (readonly [string, (text: string) => string])[] = [
  ['POST /agent/calls: is gone', (text) => text.replace('"/agent/calls":', '"/agent/dials":')],
  ['POST /agent/calls: `operationId`', (text) => text.replace('"calls.place"', '"calls.dial"')],
  ['GET /agent/agents 200.data[].agent_id: is gone', (text) => text.replace('"agent_id":{', '"agent":{')],
  ['header Idempotency-Key: is gone', (text) => text.replaceAll('"Idempotency-Key"', '"Repeat-Key"')],
  ['POST /agent/calls 201: is gone', (text) => text.replace('"201":', '"202":')],
]
test.each(edits)('%s', (message, edit) => {
  const after: JsonObject = JSON.parse(edit(JSON.stringify(current)))
  expect(findBreakingChanges(current, after).join('\n')).toContain(message)
})
