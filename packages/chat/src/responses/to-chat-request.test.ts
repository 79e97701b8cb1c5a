import { expect, test } from 'vitest'
import type { ResponseInputItem } from './request.ts'
import { toChatRequest } from './to-chat-request.ts'

const user = { role: 'user', content: 'Hello' } as const
const call = (call_id: string): ResponseInputItem => ({
  type: 'function_call',
  call_id,
  name: 'weather',
  arguments: '{}',
})
const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } })
const messagesOf = (input: readonly ResponseInputItem[]) => toChatRequest({ model: 'm', input })['messages']

test('text is a message of the user, behind the instructions', () => {
  expect(toChatRequest({ model: 'm', input: 'Hello' })).toEqual({ model: 'm', messages: [user] })
  expect(toChatRequest({ model: 'm', input: 'Hello', instructions: 'Be kind.' })['messages']).toEqual([
    { role: 'system', content: 'Be kind.' },
    user,
  ])
})

test('calls are one message with each other and with what was said before them', () => {
  const output: ResponseInputItem = { type: 'function_call_output', call_id: 'a', output: 'Rain' }
  const result = { role: 'tool', tool_call_id: 'a', content: 'Rain' }
  expect(messagesOf([user, { type: 'reasoning' }, call('a'), call('b'), output])).toEqual([
    user,
    { role: 'assistant', content: null, tool_calls: [toolCall('a'), toolCall('b')] },
    result,
  ])
  expect(messagesOf([{ role: 'assistant', content: 'I ask.' }, call('a'), output, call('b')])).toEqual([
    { role: 'assistant', content: 'I ask.', tool_calls: [toolCall('a')] },
    result,
    { role: 'assistant', content: null, tool_calls: [toolCall('b')] },
  ])
})

test('parts are translated, and a text alone is a string', () => {
  const text = { type: 'input_text', text: 'What is it?' } as const
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' } as const
  const file = { type: 'input_file', file_data: 'data:application/pdf;base64,AA==', filename: null } as const
  expect(
    messagesOf([
      { role: 'user', content: [text] },
      { role: 'user', content: [text, image, file] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]),
  ).toEqual([
    { role: 'user', content: 'What is it?' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: image.image_url, detail: 'low' } },
        { type: 'file', file: { file_data: file.file_data, filename: undefined } },
      ],
    },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
  ])
})

test('settings are handed on under the names of chats', () => {
  const schema = { type: 'object' }
  expect(
    toChatRequest({
      model: 'm',
      input: 'Hello',
      tools: [{ type: 'function', name: 'weather', description: null, parameters: schema, strict: true }],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'required',
        tools: [{ type: 'function', name: 'weather' }],
      },
      parallel_tool_calls: false,
      text: { format: { type: 'json_schema', name: 'a', schema, strict: null }, verbosity: 'low' },
      reasoning: { effort: 'high' },
      max_output_tokens: 7,
      temperature: 0,
      top_p: null,
      include: ['message.output_text.logprobs'],
      top_logprobs: 2,
      metadata: { order: '7' },
      store: true,
      user: 'someone',
    }),
  ).toEqual({
    model: 'm',
    messages: [user],
    tools: [{ type: 'function', function: { name: 'weather', parameters: schema, strict: true } }],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'weather' } }] },
    },
    parallel_tool_calls: false,
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
    verbosity: 'low',
    reasoning_effort: 'high',
    max_completion_tokens: 7,
    temperature: 0,
    logprobs: true,
    top_logprobs: 2,
    user: 'someone',
  })
})

test('what servers refuse without tools is left out', () => {
  const asked = {
    model: 'm',
    input: 'Hello',
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
  } as const
  expect(toChatRequest(asked)).toEqual({ model: 'm', messages: [user] })
  expect(toChatRequest({ ...asked, tool_choice: 'required' })).toMatchObject({ tool_choice: 'required' })
})
