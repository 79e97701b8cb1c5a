import { randomUUID } from 'node:crypto'
import { ChatError } from '../chat-error.ts'
import type { BatchingChatProvider, ChatObject, ChatOptions, ChatRequest } from '../provider.ts'
import type { Answer, ToolCall } from './answer/write-answer.ts'
import { createAnswerThread } from './answer-thread.ts'

/** Name of the only model. */
export const BUILT_IN_MODEL = 'vaani-echo'

export interface BuiltInModelOptions {
  /** Of answers, calls of tools included. Default: random. */
  makeId?: () => string
  /** Default `Date.now`. */
  nowMs?: () => number
}

/**
 * A model without weights that answers by rules, for tests and demos: it repeats the user, calls the tools that the user
 * names with arguments their schemas allow, and fills any JSON schema. Only `id` and `created` differ between answers to the same
 * request. It keeps to `max_tokens`, `stop` and `n`, and counts tokens with the encoding `o200k_base`.
 *
 * It works in a thread of its own, with a time limit, because schemas of strangers run there. Tenants take turns.
 *
 * @example
 * const model = createBuiltInModel()
 * const request = { model: 'vaani-echo', messages: [{ role: 'user', content: 'Namaste' }] }
 * const completion = await model.complete(request, { signal: new AbortController().signal })
 * await model.close()
 */
export function createBuiltInModel(options: BuiltInModelOptions = {}): BatchingChatProvider {
  const { makeId = () => randomUUID().replaceAll('-', ''), nowMs = () => Date.now() } = options
  const thread = createAnswerThread()

  async function open(request: ChatRequest, chatOptions: ChatOptions) {
    if (request.model !== BUILT_IN_MODEL)
      throw new ChatError('model_not_found', `The built-in model is ${BUILT_IN_MODEL}`, { param: 'model' })
    const answer = await thread.answer(request, chatOptions)
    const created = Math.floor(nowMs() / 1000)
    const head = { id: `chatcmpl-${makeId()}`, created, model: BUILT_IN_MODEL, system_fingerprint: null }
    const calls = Array.from({ length: answer.choices }, () =>
      answer.calls.map((call) => ({ ...call, id: `call_${makeId()}` })),
    )
    return { answer, head, calls }
  }

  async function* stream(request: ChatRequest, chatOptions: ChatOptions): AsyncGenerator<ChatObject> {
    const { answer, head, calls } = await open(request, chatOptions)
    const wantsUsage = includesUsage(request)
    const usage = wantsUsage ? { usage: null } : {}
    const chunk = (index: number, delta: object, finish_reason: string | null = null): ChatObject => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index, delta, logprobs: null, finish_reason }],
      ...usage,
    })
    for (let index = 0; index < answer.choices; index++) {
      const own = calls[index] ?? []
      yield chunk(index, { role: 'assistant', content: own.length > 0 ? null : '', refusal: null })
      for (const delta of deltasOf(answer, own)) {
        chatOptions.signal.throwIfAborted()
        yield chunk(index, delta)
      }
      yield chunk(index, {}, answer.finishReason)
    }
    if (wantsUsage) yield { ...head, object: 'chat.completion.chunk', choices: [], usage: usageOf(answer) }
  }

  return {
    models: () => [BUILT_IN_MODEL],
    async complete(request, chatOptions) {
      const { answer, head, calls } = await open(request, chatOptions)
      return {
        ...head,
        object: 'chat.completion',
        choices: calls.map((own, index) => ({
          index,
          message: {
            role: 'assistant',
            content: answer.pieces?.join('') ?? null,
            refusal: null,
            ...(own.length > 0 && { tool_calls: own.map((call) => toToolCall(call, call.pieces.join(''))) }),
          },
          logprobs: null,
          finish_reason: answer.finishReason,
        })),
        usage: usageOf(answer),
      }
    },
    stream,
    async *streamBatches(request, chatOptions) {
      for await (const chunk of stream(request, chatOptions)) yield [chunk]
    },
    close: () => thread.close(),
  }
}

type CallWithId = ToolCall & { id: string }

function* deltasOf(answer: Answer, calls: readonly CallWithId[]): Generator<object> {
  for (const content of answer.pieces ?? []) yield { content }
  for (const [index, call] of calls.entries()) {
    yield { tool_calls: [{ index, ...toToolCall(call, '') }] }
    for (const piece of call.pieces)
      yield {
        tool_calls: [
          { index, ...(call.isCustom ? { custom: { input: piece } } : { function: { arguments: piece } }) },
        ],
      }
  }
}

const toToolCall = ({ id, name, isCustom }: CallWithId, text: string) =>
  isCustom
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: text } }

const usageOf = ({ promptTokens, completionTokens }: Answer) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
})

function includesUsage({ stream_options }: ChatRequest): boolean {
  return (
    typeof stream_options === 'object' &&
    stream_options !== null &&
    'include_usage' in stream_options &&
    stream_options.include_usage === true
  )
}
