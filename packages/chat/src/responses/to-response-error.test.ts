import { expect, test } from 'vitest'
import { ChatError } from '../chat-error.ts'
import { toResponseError } from './to-response-error.ts'

test.each([
  ['messages.0.content', 'input'],
  ['response_format.json_schema.schema', 'text.format.schema'],
  ['response_format', 'text.format'],
  ['tools.0.function.parameters', 'tools.0.parameters'],
  ['max_completion_tokens', 'max_output_tokens'],
  ['reasoning_effort', 'reasoning.effort'],
])('what a chat calls %s is %s', (param, own) => {
  const refused = new ChatError('request_refused', `${param}: is too long`, { param, reason: 'too_long' })
  const error = { code: 'request_refused', param: own, reason: 'too_long', message: `${own}: is too long` }
  expect(toResponseError(refused)).toMatchObject(error)
})

test('other errors stay as they are', () => {
  for (const error of [new Error('x'), new ChatError('provider_busy', 'x', { retryAfterMs: 1 })])
    expect(toResponseError(error)).toBe(error)
})
