import { contract, readInput } from '@vaani/contracts'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { toValidationError } from './validation-error.ts'

const issuesOf = (body: unknown, schema: z.ZodType = contract.calls.place.body) => {
  const result = readInput(schema, body)
  return toValidationError({ path: [], headers: [], query: [], body: result.error?.issues ?? [] })
}

test('problems of shape come before problems of meaning', () => {
  expect(issuesOf({ to: '12', agent_id: 'reminder' })).toMatchObject({
    code: 'invalid_phone',
    status: 422,
    param: 'to',
  })
  expect(issuesOf({ to: '12' })).toMatchObject({ code: 'invalid_request', status: 400, param: 'agent_id' })
})

test('a message names the field and what it must be', () => {
  expect(issuesOf({ to: '+9779812345678' }).message).toBe('agent_id: is missing')
  expect(issuesOf({ to: '+9779812345678', agent_id: 'a', metadata: [] }).message).toBe(
    'metadata: must be an object',
  )
})

test('every problem is in the details', () => {
  expect(issuesOf({ to: '12', language: 'x_y' }).details?.map(({ param }) => param)).toEqual([
    'agent_id',
    'language',
    'to',
  ])
})

test('an unknown field is named, but its value does not appear', () => {
  const error = issuesOf({ to: '+9779812345678', agent_id: 'reminder', schedule_at: 'secret-value' })
  expect(error).toMatchObject({ code: 'invalid_request', param: 'schedule_at' })
  expect(JSON.stringify(error.toBody('req_1'))).not.toContain('secret-value')
})

test('no message quotes request data', () => {
  const error = issuesOf({
    to: 'secret-value',
    agent_id: 'secret value',
    language: 'secret-value',
    metadata: 'secret-value',
  })
  expect(JSON.stringify(error.toBody('req_1'))).not.toMatch(/secret.value/)
})

test('text that is too long has its own code', () => {
  const schema = contract.speech.stream.body
  const result = readInput(schema, { model: 'stream-tts', input: 'a'.repeat(4097) })
  const error = toValidationError({ path: [], headers: [], query: [], body: result.error?.issues ?? [] })
  expect(error).toMatchObject({ code: 'text_too_long', status: 400, param: 'input' })
})

test('a field inside one form of a union is named by its whole path', () => {
  const part = { type: 'input_image', file_id: 'secret-value' }
  const body = { model: 'a', input: [{ role: 'user', content: [part] }] }
  expect(issuesOf(body, contract.models.respond.body).details?.map(({ param }) => param)).toEqual([
    'input.0.content.0.file_id',
    'input.0.content.0.image_url',
  ])
  expect(issuesOf({ model: 'a', input: 5 }, contract.models.respond.body)).toMatchObject({
    param: 'input',
    message: 'input: must be a string or an array',
  })
})

test('a body that is not an object is an error without a param', () => {
  expect(issuesOf('text')).toMatchObject({
    code: 'invalid_request',
    param: null,
    message: 'The body must be an object',
  })
})
