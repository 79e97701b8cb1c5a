import { expect, test } from 'vitest'
import { ChatError } from '../chat-error.ts'
import type { ChatProvider } from '../provider.ts'
import { ANSWER, chunkOf, eventOf, LAST, refuse } from '../test/chat-server.ts'
import { chatError, errorOf, never, receive, REQUEST, useServer } from '../test/use-server.ts'
import { type ChatRouterEvent, type ChatRouterOptions, createChatRouter } from './create-router.ts'

const first = useServer()
const second = useServer()
let nowMs = 0

/** A router over both servers; the second one answers only if the first one does not. */
function route(options: Partial<ChatRouterOptions> = {}) {
  const events: ChatRouterEvent[] = []
  nowMs = 0
  const chat = createChatRouter({
    providers: {
      first: first.open({ models: ['one', 'm'], maxRetries: 0 }),
      second: second.open({ models: ['two', 'm'], maxRetries: 0 }),
    },
    models: {
      m: [
        { provider: 'first', model: 'one' },
        { provider: 'second', model: 'two', weight: 0 },
      ],
    },
    onEvent: (event) => events.push(event),
    nowMs: () => nowMs,
    ...options,
  })
  return { chat, events }
}
const asked = () => [first.server.requests.length, second.server.requests.length]

test('the provider gets its own name of the model, and the caller the name that it used', async () => {
  const { chat } = route()
  expect(await chat.complete(REQUEST, never())).toEqual({ ...ANSWER, model: 'm' })
  const { chunks } = await receive(chat)
  expect(chunks).toEqual(
    [chunkOf('नम'), chunkOf('स्ते', { their_field: 1 }), LAST].map((chunk) => ({ ...chunk, model: 'm' })),
  )
  expect(first.server.requests.map(({ body }) => body.model)).toEqual(['one', 'one'])
  expect(asked()).toEqual([2, 0])
  expect(chat.models()).toEqual(['m'])
})

test('only models that have an endpoint are asked for it, and those without chats for nothing else', async () => {
  const answer = { data: [{}] }
  const { chat } = route({
    providers: {
      first: first.open({ models: ['one', 'other'], maxRetries: 0 }),
      second: second.open({ models: [], maxRetries: 0, endpoints: { embeddings: ['two'] } }),
    },
    models: {
      m: [
        { provider: 'first', model: 'one' },
        { provider: 'second', model: 'two', weight: 9 },
      ],
      other: [{ provider: 'first' }],
      embeds: [{ provider: 'second', model: 'two' }],
    },
  })
  expect(chat.endpoints?.()).toMatchObject({ embeddings: ['m', 'embeds'], completions: [] })
  second.server.next.push((response) => response.end(JSON.stringify(answer)))
  const options = { ...never(), endpoint: 'embeddings' as const }
  expect(await chat.complete(REQUEST, options)).toEqual({ ...answer, model: 'm' })
  expect(asked()).toEqual([0, 1])
  expect(await chat.complete(REQUEST, never())).toEqual({ ...ANSWER, model: 'm' })
  expect(asked()).toEqual([1, 1])
  for (const [model, more] of [
    ['other', options],
    ['embeds', never()],
  ] as const)
    await expect(chat.complete({ ...REQUEST, model }, more)).rejects.toEqual(chatError('model_not_found'))
})

test('without a table every model is served, by all providers that have it', async () => {
  const draws = [0.9, 0.1, 0.1, 0.9]
  const { chat } = route({ models: undefined, random: () => draws.shift() ?? 0 })
  expect(chat.models()).toEqual(['one', 'm', 'two'])
  await chat.complete(REQUEST, never())
  await chat.complete(REQUEST, never())
  expect(asked()).toEqual([1, 1])
})

test.each([
  ['fails', refuse(500)],
  ['is busy', refuse(429, { 'retry-after': '9' })],
  ['refuses the key', refuse(401)],
  ['breaks off', (response: { destroy: () => unknown }) => response.destroy()],
] as const)('another one answers if a provider %s before its first chunk', async (_, behaviour) => {
  first.server.next.push(behaviour)
  const { chat } = route()
  expect((await receive(chat)).error).toBeUndefined()
  expect(asked()).toEqual([1, 1])
})

test('a failure after the first chunk is passed on', async () => {
  first.server.next.push((response) => response.write(eventOf(chunkOf('a')), () => response.destroy()))
  const { chat, events } = route()
  const { chunks, error } = await receive(chat)
  expect(chunks.length).toBe(1)
  expect(error).toEqual(chatError('provider_failed'))
  expect(asked()).toEqual([1, 0])
  expect(events).toEqual([expect.objectContaining({ type: 'failed', provider: 'first', isHeard: true })])
})

test('a refused request is refused at once, and says nothing about the provider', async () => {
  const { chat, events } = route({ rests: { failuresUntilRest: 1 } })
  for (let turn = 0; turn < 2; turn++) {
    first.server.next.push(refuse(400, {}, { param: 'messages' }))
    expect(await errorOf(chat)).toEqual(chatError('request_refused', { param: 'messages' }))
  }
  expect(asked()).toEqual([2, 0])
  expect(events).toEqual([])
})

test('a provider that fails repeatedly rests, is tried by one request, and recovers', async () => {
  const { chat, events } = route({ rests: { failuresUntilRest: 2, firstRestMs: 1000, maxRestMs: 5000 } })
  first.server.next.push(refuse(500), refuse(500))
  for (let turn = 0; turn < 4; turn++) await chat.complete(REQUEST, never())
  expect(asked()).toEqual([2, 4])
  nowMs = 1000
  await Promise.all([chat.complete(REQUEST, never()), chat.complete(REQUEST, never())])
  expect(asked()).toEqual([3, 5])
  await chat.complete(REQUEST, never())
  expect(asked()).toEqual([4, 5])
  expect(events.map(({ type }) => type)).toEqual(['failed', 'failed', 'resting', 'recovered'])
})

test('if all rest, the error says for how long and why', async () => {
  const only = {
    models: { m: [{ provider: 'first' }] },
    rests: { failuresUntilRest: 1, firstRestMs: 3000, maxRestMs: 60_000 },
  }
  const { chat } = route(only)
  first.server.next.push(refuse(429, { 'retry-after': '20' }), refuse(500))
  expect(await errorOf(chat)).toEqual(chatError('provider_busy', { retryAfterMs: 20_000 }))
  nowMs = 5000
  expect(await errorOf(chat)).toEqual(chatError('provider_busy', { retryAfterMs: 15_000 }))
  nowMs = 20_000
  expect(await errorOf(chat)).toEqual(chatError('provider_failed'))
  expect((await receive(chat)).error).toEqual(chatError('provider_failed', { retryAfterMs: 3000 }))
  expect(asked()).toEqual([2, 0])
})

test('a provider of any kind can take part, and its errors become ours', async () => {
  const inProcess: ChatProvider = {
    models: () => ['m'],
    complete: () => Promise.reject(new TypeError('private')),
    async *stream() {
      yield chunkOf('a') as Readonly<Record<string, unknown>>
      throw new ChatError('request_refused', 'No', { param: 'n' })
    },
    close: () => Promise.resolve(),
  }
  const chat = createChatRouter({ providers: { inProcess } })
  expect(await errorOf(chat)).toEqual(chatError('provider_failed'))
  expect(await receive(chat)).toEqual({
    chunks: [chunkOf('a', { model: 'm' })],
    error: chatError('request_refused', { param: 'n' }),
  })
})

test('an unknown model, and a router that is closed', async () => {
  const { chat } = route()
  expect(await errorOf(chat, { model: 'one' })).toEqual(chatError('model_not_found', { param: 'model' }))
  expect((await receive(chat, { model: 'toString' })).error).toEqual(chatError('model_not_found'))
  await chat.close()
  expect(await errorOf(chat)).toEqual(chatError('provider_closed'))
})

test.each<[string, Partial<ChatRouterOptions>]>([
  ['providers', { providers: {} }],
  ['models', { models: {} }],
  ['models.m', { models: { m: [] } }],
  ['models.m.0.provider', { models: { m: [{ provider: 'toString' }] } }],
  ['models.m.0.model', { models: { m: [{ provider: 'first', model: 'two' }] } }],
  ['models.m.0.weight', { models: { m: [{ provider: 'first', weight: -1 }] } }],
])('an invalid option is named as %s', (field, options) => {
  expect(() => route(options)).toThrow(expect.objectContaining({ name: 'ChatOptionsError', field }))
})
