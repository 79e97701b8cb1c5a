import { createOpenAI } from '@ai-sdk/openai'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool as chainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled, tool as agentTool } from '@openai/agents'
import { type ModelUsage, responseEventSchema, responseSchema } from '@vaani/contracts'
import { until } from '@vaani/test-services/until'
import { generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Clients that ask for responses, and the model of a server without upstreams. */
let server: TestServer
let key: string
let baseURL: string
let openai: OpenAI
beforeAll(async () => {
  server = await startTestServer({ config: { roles: new Set(['api']) } })
  key = (await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })).key
  baseURL = `${server.url}/v1`
  openai = new OpenAI({ apiKey: key, baseURL, maxRetries: 0 })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const model = 'vaani-echo'
const GREETING = 'नमस्ते, Sita!'
const ASK = 'Call get_weather.'
const RAIN = 'Rain in Pokhara.'
const Weather = z.object({ city: z.string() })
const Order = z.object({ id: z.uuid(), lines: z.array(z.object({ count: z.int().min(1) })).min(1) })

describe('the official client', () => {
  const weather: OpenAI.Responses.FunctionTool = {
    type: 'function',
    name: 'get_weather',
    parameters: z.toJSONSchema(Weather),
    strict: true,
  }

  test('gets a text, whole and as events in their order', async () => {
    const asked = { model, input: GREETING, instructions: 'Be kind.', metadata: { order: '7' } }
    const { _request_id, output_text, ...whole } = await openai.responses.create(asked)
    expect(responseSchema.parse(whole)).toEqual(whole)
    expect(output_text).toBe(GREETING)
    expect(whole).toMatchObject({
      model,
      status: 'completed',
      store: false,
      instructions: 'Be kind.',
      metadata: { order: '7' },
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    })
    const events = await Array.fromAsync(await openai.responses.create({ ...asked, stream: true }))
    expect(events.map((event) => responseEventSchema.parse(event))).toEqual(events)
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
    const types = events.map(({ type }) => type)
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    const streamed = await openai.responses.stream(asked).finalResponse()
    expect(streamed.output_text).toBe(GREETING)
    expect(streamed.usage).toEqual(whole.usage)
  })

  test('calls a function in two steps', async () => {
    const asked = { model, tools: [weather], input: [{ role: 'user' as const, content: ASK }] }
    for (const response of [
      await openai.responses.create(asked),
      await openai.responses.stream(asked).finalResponse(),
    ]) {
      const [call] = response.output
      if (call?.type !== 'function_call') throw new Error('No function was called')
      expect(Weather.parse(JSON.parse(call.arguments))).toEqual({ city: 'city' })
      const { output_text } = await openai.responses.create({
        ...asked,
        input: [...asked.input, call, { type: 'function_call_output', call_id: call.call_id, output: RAIN }],
      })
      expect(output_text).toContain(RAIN)
    }
  })

  test('parses a structured output, and learns that one was cut off', async () => {
    const text = { format: zodTextFormat(Order, 'order') }
    const { output_parsed } = await openai.responses.parse({ model, input: 'Order.', text })
    expect(Order.parse(output_parsed)).toEqual(output_parsed)
    const cut = await openai.responses.create({ model, input: 'One two three four', max_output_tokens: 2 })
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    })
  })

  test.each<[string, object, string]>([
    ['stored responses', { previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['stored conversations', { conversation: 'conv_1' }, 'conversation'],
    ['stored items', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input.0.id'],
    [
      'stored files',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
      'input.0.content.0.file_id',
    ],
    ['work in the background', { background: true }, 'background'],
    ['tools of the server', { tools: [{ type: 'web_search' }] }, 'tools.0.type'],
    [
      'schemas without a value',
      { text: { format: { type: 'json_schema', name: 'a', schema: { not: {} } } } },
      'text.format.schema',
    ],
    [
      'input that is no chat',
      { input: [{ type: 'function_call_output', call_id: 'call_1', output: 1 }] },
      'input.0.output',
    ],
  ])('is refused %s with the name of the field', async (_, more, param) => {
    const failure = await openai.responses.create({ model, input: 'Hello.', ...more }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
    expect(failure).toMatchObject({ code: 'invalid_request', param, message: expect.stringContaining(param) })
  })

  test('learns of a model that does not exist', async () => {
    await expect(openai.responses.create({ model: 'nothing', input: 'Hello.' })).rejects.toMatchObject({
      status: 404,
      param: 'model',
    })
  })
})

test('responses count as usage of the model', async () => {
  const { key: own } = await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })
  const body = { model, input: 'Hello.' }
  for (const asked of [body, { ...body, stream: true }])
    await (await server.fetch('/v1/responses', { key: own, body: asked })).text()
  const rows = await until(
    async () => (await server.json<{ data: ModelUsage[] }>('/v1/usage', { key: own })).body.data,
    ([row]) => row?.requests === 2,
  )
  expect(rows).toMatchObject([{ model, requests_without_usage: 0 }])
})

describe('the AI SDK', () => {
  let echo: LanguageModel
  beforeAll(() => {
    echo = createOpenAI({ apiKey: key, baseURL })(model)
  })
  const tools = { get_weather: tool({ inputSchema: Weather, execute: async () => RAIN }) }

  test('gets a text and a stream of its default', async () => {
    expect((await generateText({ model: echo, prompt: GREETING })).text).toBe(GREETING)
    expect(await streamText({ model: echo, prompt: GREETING }).text).toBe(GREETING)
  })

  test('runs tools in steps, with and without a stream', async () => {
    const asked = { model: echo, tools, prompt: ASK, stopWhen: stepCountIs(2) }
    expect((await generateText(asked)).text).toContain(RAIN)
    expect(await streamText(asked).text).toContain(RAIN)
  })

  test('continues a conversation if it does not rely on the storage of OpenAI', async () => {
    const first = await generateText({ model: echo, prompt: GREETING })
    const messages = [
      { role: 'user' as const, content: GREETING },
      ...first.response.messages,
      { role: 'user' as const, content: 'And you?' },
    ]
    await expect(generateText({ model: echo, messages, maxRetries: 0 })).rejects.toThrow('set store to false')
    const providerOptions = { openai: { store: false } }
    expect((await generateText({ model: echo, messages, providerOptions })).text).toBe('And you?')
  })

  test('fills a schema', async () => {
    const { output } = await generateText({
      model: echo,
      prompt: 'Order.',
      output: Output.object({ schema: Order }),
    })
    expect(Order.parse(output)).toEqual(output)
  })
})

describe('LangChain', () => {
  let echo: ChatOpenAI
  beforeAll(() => {
    echo = new ChatOpenAI({ model, apiKey: key, useResponsesApi: true, configuration: { baseURL } })
  })

  test('gets a text and a stream', async () => {
    expect((await echo.invoke(GREETING)).text).toBe(GREETING)
    const chunks = await Array.fromAsync(await echo.stream(GREETING))
    expect(chunks.map(({ text }) => text).join('')).toBe(GREETING)
  })

  test('calls a tool, and reads its result', async () => {
    const weather = chainTool(() => RAIN, { name: 'get_weather', schema: Weather })
    const bound = echo.bindTools([weather])
    const asked = new HumanMessage(ASK)
    const answer = await bound.invoke([asked])
    const [call] = answer.tool_calls ?? []
    expect(call).toMatchObject({ name: 'get_weather', args: { city: 'city' } })
    const result = new ToolMessage({ content: RAIN, tool_call_id: call?.id ?? '' })
    expect((await bound.invoke([asked, answer, result])).text).toContain(RAIN)
  })

  test('fills a schema', async () => {
    const filled = await echo.withStructuredOutput(Order).invoke('Order.')
    expect(Order.parse(filled)).toEqual(filled)
  })
})

describe('the Agents SDK', () => {
  let runner: Runner
  let weather: ReturnType<typeof agentTool>
  beforeAll(() => {
    setTracingDisabled(true)
    runner = new Runner()
    weather = agentTool({
      name: 'get_weather',
      description: 'Reports the weather.',
      parameters: Weather,
      execute: async () => RAIN,
    })
  })
  const agent = (more: object = {}) =>
    new Agent({
      name: 'Guide',
      instructions: 'Be kind.',
      model: new OpenAIResponsesModel(openai, model),
      ...more,
    })

  test('runs an agent with a tool, with and without a stream', async () => {
    expect((await runner.run(agent(), GREETING)).finalOutput).toBe(GREETING)
    const tooled = agent({ tools: [weather] })
    expect((await runner.run(tooled, ASK)).finalOutput).toContain(RAIN)
    const streamed = await runner.run(tooled, ASK, { stream: true })
    await streamed.completed
    expect(streamed.finalOutput).toContain(RAIN)
  })

  test('continues a conversation from its history', async () => {
    const first = await runner.run(agent({ tools: [weather] }), ASK)
    const next = await runner.run(agent({ tools: [weather] }), [
      ...first.history,
      { role: 'user', content: 'And you?' },
    ])
    expect(next.finalOutput).toBe('And you?')
  })

  test('fills a schema', async () => {
    const { finalOutput } = await runner.run(agent({ outputType: Order }), 'Order.')
    expect(Order.parse(finalOutput)).toEqual(finalOutput)
  })
})
