import { expect, test } from 'vitest'
import { readInput } from '../shared/read-input.ts'
import { responseRequestSchema } from './responses.ts'

test.each([
  ['custom', 'must be function here: custom tools are for /v1/chat/completions'],
  ['web_search', 'must be function: this server runs no tools of its own, so declare yours as functions'],
  [undefined, 'must be function: this server runs no tools of its own, so declare yours as functions'],
])('the refusal of a tool of the type %s gives its reason', (type, message) => {
  const request = { model: 'a', input: 'b', tools: [{ type, name: 'c' }] }
  expect(readInput(responseRequestSchema, request).error?.issues).toMatchObject([
    { path: ['tools', 0, 'type'], message },
  ])
})
