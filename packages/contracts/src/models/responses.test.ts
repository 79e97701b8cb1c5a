import { expect, test } from 'vitest'
import { readInput } from '../shared/read-input.ts'
import { responseRequestSchema } from './responses.ts'

test.each(['custom', 'web_search', undefined])(
  'the refusal of a tool of the type %s gives its reason',
  (type) => {
    const message = 'must be function: no tools run here, and custom ones are for /v1/chat/completions'
    const request = { model: 'a', input: 'b', tools: [{ type, name: 'c' }] }
    expect(readInput(responseRequestSchema, request).error?.issues).toMatchObject([
      { path: ['tools', 0, 'type'], message },
    ])
  },
)
