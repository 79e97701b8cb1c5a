import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { chatCompletionChunkSchema, chatCompletionSchema } from '@vaani/contracts'
import { generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** The model of a server without upstreams, asked by OpenAI's client and by the AI SDK. */
let server: TestServer
let openai: OpenAI
let echo: LanguageModel
beforeAll(async () => {
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  const { key } = await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })
  const baseURL = `${server.url}/v1`
  openai = new OpenAI({ apiKey: key, baseURL, maxRetries: 0 })
  echo = createOpenAICompatible({
    name: 'vaani',
    apiKey: key,
    baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })(model)
})
afterAll(() => server?.[Symbol.asyncDispose]())

const model = 'vaani-echo'
const user = (content: string) => ({ role: 'user' as const, content })

test('is listed, and answers whole and as a stream alike', async () => {
  const listed = await Array.fromAsync(openai.models.list())
  expect(listed).toContainEqual({
    id: model,
    object: 'model',
    created: expect.any(Number),
    owned_by: 'vaani',
  })
  const { _request_id, ...whole } = await openai.chat.completions.create({
    model,
    messages: [user('नमस्ते, Sita!')],
  })
  expect(chatCompletionSchema.parse(whole)).toMatchObject({
    model,
    choices: [{ message: { content: 'नमस्ते, Sita!' } }],
  })
  const chunks = await Array.fromAsync(
    await openai.chat.completions.create({ model, messages: [user('नमस्ते, Sita!')], stream: true }),
  )
  for (const chunk of chunks) chatCompletionChunkSchema.parse(chunk)
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('नमस्ते, Sita!')
  expect(chunks.some((chunk) => chunk.usage)).toBe(false)
})

test('fills a schema of zod', async () => {
  const Order = z.object({
    id: z.uuid(),
    lines: z.array(z.object({ sku: z.string().regex(/^[A-Z]{3}-\d{4}$/), count: z.int().min(1) })).min(2),
    pay: z.union([
      z.object({ by: z.literal('card'), last4: z.string().length(4) }),
      z.object({ by: z.literal('cash') }),
    ]),
    note: z.string().nullable(),
  })
  const { choices } = await openai.chat.completions.parse({
    model,
    messages: [user('An order')],
    response_format: zodResponseFormat(Order, 'order'),
  })
  expect(Order.parse(choices[0]?.message.parsed)).toEqual(choices[0]?.message.parsed)
})

test('runs tools to the end of a conversation', async () => {
  const asked: unknown[] = []
  const runner = openai.chat.completions.runTools({
    model,
    messages: [user('Please get weather for me.')],
    tools: [
      zodFunction({
        name: 'get_weather',
        parameters: z.object({ city: z.string().min(3), unit: z.enum(['celsius', 'fahrenheit']) }),
        function: (given) => {
          asked.push(given)
          return '22 degrees'
        },
      }),
    ],
  })
  expect(await runner.finalContent()).toBe('get_weather: 22 degrees')
  expect(asked).toEqual([{ city: 'city', unit: 'celsius' }])
})

test('works with the AI SDK: text, streams, tools in a loop, and objects of a schema', async () => {
  const whole = await generateText({ model: echo, prompt: 'Hello there.' })
  expect([whole.text, whole.finishReason, whole.usage.outputTokens]).toEqual(['Hello there.', 'stop', 3])
  const stream = streamText({ model: echo, prompt: 'Hello there.' })
  expect((await Array.fromAsync(stream.textStream)).join('')).toBe('Hello there.')
  expect((await stream.usage).inputTokens).toBe(whole.usage.inputTokens)
  const tools = {
    get_weather: tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => ({ city, degrees: 22 }),
    }),
  }
  const loop = await generateText({ model: echo, prompt: 'Get weather.', tools, stopWhen: stepCountIs(5) })
  expect(loop.steps).toHaveLength(2)
  expect(loop.text).toBe('get_weather: {"city":"city","degrees":22}')
  const schema = z.object({ name: z.string().min(2), ages: z.array(z.int().min(3)).min(2) })
  const { output } = await generateText({
    model: echo,
    prompt: 'A family',
    output: Output.object({ schema }),
  })
  expect(schema.parse(output)).toEqual(output)
})

test('calls only allowed tools, and answers in JSON if asked', async () => {
  const tools = ['get_weather', 'send_mail'].map((name) => ({
    type: 'function' as const,
    function: { name },
  }))
  const { choices } = await openai.chat.completions.create({
    model,
    messages: [user('Get weather, then send mail.')],
    tools,
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: tools.slice(1) } },
  })
  expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'send_mail' } }])
  const json = await openai.chat.completions.create({
    model,
    messages: [user('Hello')],
    response_format: { type: 'json_object' },
  })
  expect(JSON.parse(json.choices[0]?.message.content ?? '')).toEqual({ text: 'Hello' })
})

const BACKTRACKING = `${'a'.repeat(40)}!`
test.each<[what: string, why: string, schema: Record<string, unknown>]>([
  [
    'a reference out of the request',
    'not.$ref refers to a schema that is not in',
    { not: { $ref: 'other.json' } },
  ],
  ['a reference that is none', '$ref is no reference', { $ref: 'http://[bad' }],
  ['an address that is none', '$id is no address', { $id: 'http://[bad', type: 'string' }],
  ['an address twice', '$id is the address of another', { $defs: { a: { $id: 'a' }, b: { $id: 'a' } } }],
  [
    'a search without end',
    'is too hard for the built-in model',
    { allOf: Array.from({ length: 40 }, () => ({ anyOf: Array.from({ length: 40 }, () => ({ not: {} })) })) },
  ],
])('refuses %s in a schema, and says where and why', async (_, why, schema) => {
  const json_schema = { name: 'hostile', schema }
  await expect(
    openai.chat.completions.create({
      model,
      messages: [user('x')],
      response_format: { type: 'json_schema', json_schema },
    }),
  ).rejects.toMatchObject({
    status: 400,
    param: 'response_format.json_schema.schema',
    message: expect.stringContaining(why),
  })
  await expect(
    openai.chat.completions.create({
      model,
      messages: [user('x')],
      tools: [{ type: 'function', function: { name: 'hostile', parameters: schema } }],
      tool_choice: 'required',
    }),
  ).rejects.toMatchObject({
    status: 400,
    param: 'tools.0.function.parameters',
    message: expect.stringContaining(why),
  })
  const format = { type: 'json_schema' as const, ...json_schema }
  await expect(
    openai.responses.create({ model, input: 'x', store: false, text: { format } }),
  ).rejects.toMatchObject({ status: 400, param: 'text.format.schema', message: expect.stringContaining(why) })
})

test('answers a schema with a pattern that would backtrack without end', async () => {
  const schema = {
    type: 'object',
    patternProperties: { '^(a+)+$': false },
    required: [BACKTRACKING],
    properties: { [BACKTRACKING]: { type: 'string' } },
  }
  const { choices } = await openai.chat.completions.create({
    model,
    messages: [user('x')],
    response_format: { type: 'json_schema', json_schema: { name: 'backtracking', schema } },
  })
  expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ [BACKTRACKING]: BACKTRACKING })
})

test('refuses what it cannot answer, naming the field', async () => {
  const refused = { model, messages: [user('x')], logprobs: true }
  await expect(openai.chat.completions.create(refused)).rejects.toMatchObject({
    status: 400,
    param: 'logprobs',
  })
  const unsatisfiable = { type: 'json_schema' as const, json_schema: { name: 'none', schema: { not: {} } } }
  await expect(
    openai.chat.completions.create({ model, messages: [user('x')], response_format: unsatisfiable }),
  ).rejects.toMatchObject({ status: 400, param: 'response_format.json_schema.schema' })
  await expect(
    openai.chat.completions.create({ model: 'gpt-9', messages: [user('x')] }),
  ).rejects.toMatchObject({
    status: 404,
    param: 'model',
  })
})
