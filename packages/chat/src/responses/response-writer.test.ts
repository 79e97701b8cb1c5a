import { expect, test } from 'vitest'
import { ResponseWriter } from './response-writer.ts'
import { toResponse } from './to-response.ts'

const REQUEST = { model: 'm', input: 'Hello' }
const IDENTITY = { id: '1', createdAt: 1_795_150_800 }
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason, ...more }],
})
const startOf = (index: number, name: string) => ({
  index,
  id: `call_${name}`,
  function: { name, arguments: '' },
})
const pieceOf = (index: number, text: string) => ({ index, function: { arguments: text } })
const USAGE = { prompt_tokens: 3, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } }

function write(chunks: readonly object[]) {
  const writer = new ResponseWriter(REQUEST, IDENTITY)
  const events = [writer.begin(), ...chunks.map((one) => writer.add({ ...one })), writer.finish()].flat()
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  return { writer, events, last: events.at(-1) }
}

test('calls that are written at once stay apart', () => {
  const { events, writer } = write([
    chunk({ role: 'assistant', content: 'I ask.' }),
    chunk({ tool_calls: [startOf(0, 'a'), startOf(1, 'b')] }),
    chunk({ tool_calls: [pieceOf(1, '{"b"'), pieceOf(0, '{"a":1}')] }),
    chunk({ tool_calls: [pieceOf(1, ':2}')] }),
    chunk({}, 'tool_calls'),
    { choices: [], usage: USAGE },
  ])
  expect(writer.response()).toMatchObject({
    status: 'completed',
    output: [
      { type: 'message', status: 'completed', content: [{ text: 'I ask.' }] },
      { id: 'fc_1_1', call_id: 'call_a', name: 'a', arguments: '{"a":1}' },
      { id: 'fc_1_2', call_id: 'call_b', name: 'b', arguments: '{"b":2}' },
    ],
    usage: {
      input_tokens: 3,
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 5,
    },
  })
  const ofMessage = events.findIndex(({ type }) => type === 'response.output_item.done')
  const ofCall = events.findIndex(({ output_index }) => output_index === 1)
  expect(ofMessage).toBeLessThan(ofCall)
})

test('a stream and a whole answer are the same response', () => {
  const tool_calls = [{ id: 'call_a', type: 'function', function: { name: 'a', arguments: '{}' } }]
  const message = { role: 'assistant', content: 'I ask.', tool_calls }
  const { writer } = write([
    chunk({ content: 'I ' }),
    chunk({ content: 'ask.' }),
    chunk({ tool_calls: [startOf(0, 'a')] }),
    chunk({ tool_calls: [pieceOf(0, '{}')] }, 'tool_calls'),
  ])
  const whole = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
  expect(toResponse(REQUEST, whole, IDENTITY)).toEqual(writer.response())
})

test('refusals are parts of their own, and other choices are left out', () => {
  const { events, writer } = write([
    chunk({ content: '' }),
    chunk({ refusal: 'No' }),
    chunk({ refusal: '.' }, 'stop'),
    { choices: [{ index: 1, delta: { content: 'Other' }, finish_reason: null }] },
  ])
  expect(writer.response()).toMatchObject({ output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }] })
  expect(events.find(({ type }) => type === 'response.refusal.done')).toMatchObject({ refusal: 'No.' })
})

test('probabilities of tokens come with their text', () => {
  const token = { token: 'Hi', logprob: -0.1, top_logprobs: [] }
  const { writer } = write([chunk({ content: 'Hi' }, 'stop', { logprobs: { content: [token] } })])
  expect(writer.response()).toMatchObject({ output: [{ content: [{ logprobs: [token] }] }] })
})

test.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
])('an answer that ends by %s is incomplete', (finishReason, reason) => {
  const { last } = write([chunk({ content: 'Hi' }, finishReason)])
  expect(last).toMatchObject({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason }, output: [{ status: 'incomplete' }] },
  })
})

test('a model that fails in the middle leaves what it wrote', () => {
  const writer = new ResponseWriter(REQUEST, IDENTITY)
  writer.begin()
  writer.add(chunk({ content: 'One ' }))
  expect(
    writer.fail({ code: 'service_unavailable', message: 'The model failed', param: null }),
  ).toMatchObject([
    { type: 'error', code: 'service_unavailable', message: 'The model failed', param: null },
    {
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'server_error', message: 'The model failed' },
        output: [{ status: 'incomplete', content: [{ text: 'One ' }] }],
      },
    },
  ])
})
