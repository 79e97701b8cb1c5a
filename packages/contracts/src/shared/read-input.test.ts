import { expect, test } from 'vitest'
import { z } from 'zod'
import { placeCallSchema } from '../calls/resources.ts'
import { chatCompletionRequestSchema } from '../models/chat.ts'
import { readInput } from './read-input.ts'

const LEAST = { to: '+9779812345678', agent_id: 'reminder' }
const messagesOf = (schema: z.ZodType, value: unknown) =>
  readInput(schema, value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

test('null for an optional field counts as absent, and takes its default', () => {
  const given = { ...LEAST, metadata: null, from_caller_id: null, scheduled_at: null, language: null }
  expect(readInput(placeCallSchema, given).data).toEqual({ ...LEAST, language: 'ne-NP' })
})

test('null for a required field counts as missing, and for an unknown one as unknown', () => {
  expect(messagesOf(placeCallSchema, { ...LEAST, agent_id: null })).toEqual(['agent_id: is missing'])
  expect(messagesOf(placeCallSchema, { ...LEAST, other: null })).toEqual([': is not a known field'])
})

test('free JSON and fields that take null keep it', () => {
  const metadata = { order: null, items: [null, { a: null }] }
  expect(readInput(placeCallSchema, { ...LEAST, metadata, from_caller_id: null }).data?.metadata).toEqual(
    metadata,
  )
  const schema = z.object({ note: z.string().nullable(), name: z.string().optional() })
  expect(readInput(schema, { note: null, name: null }).data).toEqual({ note: null })
})

test('null counts as absent inside lists and unions', () => {
  const request = {
    model: 'a',
    messages: [{ role: 'user', content: 'b', name: null }],
    tools: [{ type: 'function', function: { name: 'c', description: null, parameters: null, strict: null } }],
    tool_choice: null,
    stream_options: null,
  }
  const { data } = readInput(chatCompletionRequestSchema, request)
  expect(data?.tools).toMatchObject([{ type: 'function', function: { name: 'c' } }])
  expect(request.tool_choice).toBeNull()
  const union = z.union([z.string(), z.object({ id: z.string(), note: z.string().optional() })])
  expect(readInput(union, { id: 'a', note: null }).data).toEqual({ id: 'a' })
})

test('elements of lists stay', () => {
  expect(messagesOf(z.array(z.string()), ['a', null])).toEqual(['1: must be a string'])
})

test('input is not changed', () => {
  const given = Object.freeze({ ...LEAST, metadata: null })
  expect(readInput(placeCallSchema, given).success).toBe(true)
  expect(given.metadata).toBeNull()
})
