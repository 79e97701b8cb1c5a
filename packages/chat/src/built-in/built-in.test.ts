import { afterAll, describe, expect, test } from 'vitest'
import type { ChatError } from '../chat-error.ts'
import type { ChatObject } from '../provider.ts'
import { createAnswerThread } from './answer-thread.ts'
import { BUILT_IN_MODEL, createBuiltInModel } from './index.ts'

const ids = { next: 0 }
const model = createBuiltInModel({ makeId: () => String(++ids.next), nowMs: () => 1_795_000_000_000 })
afterAll(() => model.close())

const { signal } = new AbortController()
const user = (content: unknown) => ({ role: 'user', content })
const ask = (fields: object) =>
  model.complete({ model: BUILT_IN_MODEL, messages: [user('Hello')], ...fields }, { signal })
const stream = (fields: object) =>
  Array.fromAsync(model.stream({ model: BUILT_IN_MODEL, messages: [user('Hello')], ...fields }, { signal }))

interface Choice {
  index: number
  message: {
    content: string | null
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  }
  finish_reason: string
}
const choicesOf = (answer: ChatObject) => answer['choices'] as Choice[]
const said = async (fields: object) => choicesOf(await ask(fields))[0]?.message.content
const called = async (fields: object) =>
  (choicesOf(await ask(fields))[0]?.message.tool_calls ?? []).map(({ function: { name } }) => name)
const refusalOf = (fields: object): Promise<ChatError> =>
  ask(fields).then(
    () => expect.unreachable(),
    (error: ChatError) => error,
  )

const tool = (name: string, parameters?: object) => ({
  type: 'function',
  function: { name, ...(parameters && { parameters }) },
})
const allow = (mode: string, ...names: string[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: names.map((name) => tool(name)) },
})
const TOOLS = [
  tool('get_weather', { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  tool('send_mail'),
]

describe('text', () => {
  test('is the last text of the user', async () => {
    const messages = [
      user('One'),
      { role: 'assistant', content: 'One' },
      user('नमस्ते 👨‍👩‍👧'),
      { role: 'system', content: 'x' },
    ]
    const answer = await ask({ messages })
    expect(answer).toMatchObject({
      object: 'chat.completion',
      created: 1_795_000_000,
      model: BUILT_IN_MODEL,
      choices: [{ index: 0, message: { role: 'assistant', content: 'नमस्ते 👨‍👩‍👧' }, finish_reason: 'stop' }],
    })
    expect(await said({ messages: [{ role: 'system', content: 'x' }] })).toBe('Hello.')
    const parts = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ]
    expect(await said({ messages: [user(parts)] })).toBe('See\n[image_url]')
  })

  test('ends at a stop, at the limit of tokens, and comes as often as wanted', async () => {
    expect(await said({ messages: [user('one, two; three')], stop: [';', ','] })).toBe('one')
    const cut = await ask({ messages: [user('one two three four')], max_completion_tokens: 2, n: 3 })
    expect(
      choicesOf(cut).map(({ index, message, finish_reason }) => [index, message.content, finish_reason]),
    ).toEqual([
      [0, 'one two', 'length'],
      [1, 'one two', 'length'],
      [2, 'one two', 'length'],
    ])
    expect(cut['usage']).toEqual({ prompt_tokens: 11, completion_tokens: 6, total_tokens: 17 })
  })
})

describe('tools', () => {
  test.each<[what: string, fields: object, names: string[]]>([
    ['that the user names', { messages: [user('Get weather for Pokhara')] }, ['get_weather']],
    ['that the user does not name', {}, []],
    ['several at once', { messages: [user('get_weather, then send mail')] }, ['get_weather', 'send_mail']],
    [
      'one at a time',
      { messages: [user('get_weather, send_mail')], parallel_tool_calls: false },
      ['get_weather'],
    ],
    ['required', { tool_choice: 'required' }, ['get_weather']],
    ['chosen', { tool_choice: { type: 'function', function: { name: 'send_mail' } } }, ['send_mail']],
    [
      'allowed',
      { tool_choice: allow('auto', 'send_mail'), messages: [user('get_weather, send_mail')] },
      ['send_mail'],
    ],
    ['allowed, but not named', { tool_choice: allow('auto', 'send_mail') }, []],
    ['allowed and required', { tool_choice: allow('required', 'send_mail') }, ['send_mail']],
    ['forbidden', { tool_choice: 'none', messages: [user('get_weather')] }, []],
  ])('%s', async (_, fields, names) => {
    expect(await called({ tools: TOOLS, ...fields })).toEqual(names)
  })

  test('have arguments that their schema allows, and the answer after them quotes what they gave', async () => {
    const question = user('get_weather of Pokhara')
    const first = choicesOf(await ask({ tools: TOOLS, messages: [question] }))[0]
    expect(first?.finish_reason).toBe('tool_calls')
    expect(first?.message.content).toBeNull()
    const [call] = first?.message.tool_calls ?? []
    expect(JSON.parse(call?.function.arguments ?? '')).toEqual({ city: 'city' })
    const result = { role: 'tool', tool_call_id: call?.id, content: '22 degrees' }
    expect(await said({ tools: TOOLS, messages: [question, first?.message, result] })).toBe(
      'get_weather: 22 degrees',
    )
  })

  test('may refer to definitions at the root of their schema', async () => {
    const parameters = {
      $defs: { n: { type: 'integer', minimum: 3 } },
      properties: { a: { $ref: '#/$defs/n' } },
      required: ['a'],
    }
    const answer = await ask({ tools: [tool('f', parameters)], tool_choice: 'required' })
    expect(JSON.parse(choicesOf(answer)[0]?.message.tool_calls?.[0]?.function.arguments ?? '')).toEqual({
      a: 3,
    })
  })
})

test('JSON is an object, or a value that the schema allows', async () => {
  expect(await said({ response_format: { type: 'json_object' } })).toBe('{"text":"Hello"}')
  const schema = {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  }
  expect(await said({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } })).toBe(
    '{"ok":true}',
  )
})

test.each<[what: string, fields: object]>([
  ['a text', { messages: [user('Namaste, दुनिया 👩🏽‍🚀! '.repeat(20))] }],
  ['calls', { tools: TOOLS, messages: [user('get_weather, send_mail')], n: 2 }],
])('a stream of %s has the parts of the whole', async (_, fields) => {
  const usage = (await ask(fields))['usage']
  const chunks = await stream({ ...fields, stream_options: { include_usage: true } })
  interface Chunk {
    choices: {
      index: number
      delta: {
        role?: string
        content?: string
        tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
      }
      finish_reason: string | null
    }[]
  }
  const choices = (chunks as unknown as Chunk[]).flatMap((chunk) => chunk.choices)
  expect(choices[0]?.delta.role).toBe('assistant')
  const texts = new Map<string, string>()
  for (const { index, delta } of choices) {
    texts.set(`${index}`, (texts.get(`${index}`) ?? '') + (delta.content ?? ''))
    for (const call of delta.tool_calls ?? []) {
      const key = `${index} ${call.index}`
      texts.set(key, (texts.get(key) ?? '') + call.function.arguments)
    }
  }
  const whole = choicesOf(await ask(fields))
  for (const { index, message } of whole) {
    expect(texts.get(`${index}`)).toBe(message.content ?? '')
    for (const [at, call] of (message.tool_calls ?? []).entries())
      expect(texts.get(`${index} ${at}`)).toBe(call.function.arguments)
  }
  expect(choices.filter(({ finish_reason }) => finish_reason !== null)).toHaveLength(whole.length)
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
  expect((await stream(fields)).at(-1)).not.toHaveProperty('usage')
})

test.each<[what: string, fields: object, error: object]>([
  ['another model', { model: 'gpt-9' }, { code: 'model_not_found', param: 'model' }],
  ['probabilities', { logprobs: true }, { param: 'logprobs' }],
  ['too many choices', { n: 17 }, { param: 'n' }],
  [
    'a tool that is not there',
    { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'x' } } },
    { param: 'tool_choice' },
  ],
  [
    'an allowed tool that is not there',
    { tools: TOOLS, tool_choice: allow('auto', 'x') },
    { param: 'tool_choice' },
  ],
  [
    'an unknown mode of allowed tools',
    { tools: TOOLS, tool_choice: allow('none', 'send_mail') },
    { param: 'tool_choice.allowed_tools.mode' },
  ],
  ['a function of the older form', { functions: [{ name: 'f' }] }, { param: 'functions' }],
  [
    'a call of the older form',
    { functions: [{ name: 'f' }], function_call: { name: 'f' } },
    {
      param: 'function_call',
      message: 'function_call: came before tools, which the built-in model follows: send tool_choice',
    },
  ],
  ['no tool where one is required', { tool_choice: 'required' }, { param: 'tool_choice' }],
  [
    'a schema without a value',
    {
      tools: [TOOLS[1], tool('f', { required: ['a'], properties: { a: false } })],
      tool_choice: { type: 'function', function: { name: 'f' } },
    },
    { param: 'tools.1.function.parameters' },
  ],
  [
    'a format without a value',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { not: {} } } } },
    { param: 'response_format.json_schema.schema' },
  ],
  [
    'a text beyond the context',
    { messages: [user('a '.repeat(200_000))] },
    { param: 'messages', reason: 'context_length_exceeded' },
  ],
])('%s is refused', async (_, fields, error) => {
  expect(await refusalOf(fields)).toMatchObject({ code: 'request_refused', ...error })
})

test.each([
  { functions: [{ name: 'f' }], function_call: 'none' },
  { functions: [], function_call: 'auto' },
  { functions: null },
])('the older form of tools does not matter where nothing can be called: %j', async (fields) => {
  expect(choicesOf(await ask(fields))[0]?.message.content).toEqual(
    choicesOf(await ask({}))[0]?.message.content,
  )
})

test('a word without end is counted, and costs no more than others', async () => {
  const { usage } = (await ask({ messages: [user('a'.repeat(300_000))] })) as {
    usage?: { prompt_tokens: number }
  }
  expect(usage?.prompt_tokens).toBeGreaterThan(1000)
})

test('a schema that takes too many steps is refused by name', async () => {
  const hard = {
    allOf: Array.from({ length: 40 }, () => ({ anyOf: Array.from({ length: 40 }, () => ({ not: {} })) })),
  }
  const format = { type: 'json_schema', json_schema: { name: 'a', schema: hard } }
  expect(await refusalOf({ response_format: format })).toMatchObject({
    code: 'request_refused',
    param: 'response_format.json_schema.schema',
    message: expect.stringContaining('gives up after a million steps'),
  })
  expect(await refusalOf({ tools: [tool('f', hard)], tool_choice: 'required' })).toMatchObject({
    code: 'request_refused',
    param: 'tools.0.function.parameters',
  })
})

test('all schemas of an answer share its steps', async () => {
  const alternatives = Array.from({ length: 400 }, (_, index) => ({ type: 'integer', minimum: index }))
  const parameters = {
    type: 'object',
    properties: { a: { type: 'array', items: { anyOf: alternatives }, minItems: 200 } },
    required: ['a'],
  }
  const tools = Array.from({ length: 20 }, (_, index) => tool(`f${index}`, parameters))
  const names = (count: number) => tools.slice(0, count).map((one) => one.function.name)
  expect(await called({ tools, messages: [user(names(1).join())] })).toEqual(names(1))
  expect(await refusalOf({ tools, messages: [user(names(20).join())] })).toMatchObject({
    code: 'request_refused',
    message: expect.stringContaining('gives up after a million steps'),
  })
})

test('an answer that hangs ends its thread, and the next chat is answered', async () => {
  const hangs = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ request }) => {
      while (request.hangs);
      parentPort.postMessage({ type: 'answered', pieces: ['Next'] })
    })
    parentPort.postMessage('ready')`
  const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(hangs)}`)
  const thread = createAnswerThread({ limitMs: 2000, workerUrl })
  await expect(thread.answer({ hangs: true }, { signal })).rejects.toMatchObject({ code: 'provider_failed' })
  expect(await thread.answer({}, { signal })).toMatchObject({ type: 'answered', pieces: ['Next'] })
  await thread.close()
  await expect(thread.answer({}, { signal })).rejects.toMatchObject({ code: 'provider_closed' })
})

test('tenants take turns, so a burst of one does not hold up another', async () => {
  const order: string[] = []
  const request = { model: BUILT_IN_MODEL, messages: [user('x')] }
  const chats = ['a', 'a', 'a', 'b'].map((tenant) =>
    model.complete(request, { signal, tenant }).then(() => order.push(tenant)),
  )
  await Promise.all(chats)
  expect(order).toEqual(['a', 'b', 'a', 'a'])
})
