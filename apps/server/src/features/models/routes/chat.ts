import type { ChatFile, ChatObject, ChatRequest, Endpoint } from '@vaani/chat'
import type { Contract, ErrorBody } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { departureSignal } from '@vaani/service-kit/http/connection/disconnect'
import { toApiError } from '@vaani/service-kit/http/refusals/handle-errors'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { resume } from '@vaani/service-kit/resume'
import { openEventStream } from '@vaani/service-kit/http/connection/event-stream'
import { streamToReceiver } from '@vaani/service-kit/http/connection/stream-to-receiver'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chatEvents, type EventOptions } from '../chat/chat-events.ts'
import { type Tokens, tokensOf } from '../chat/tokens.ts'
import { translateChatError } from '../chat/translate-chat-error.ts'
import type { ChatContext } from '../context.ts'

/** A receiver that reads nothing for this long is dropped. */
const IDLE_MS = 30_000
/** Maximum duration of a stream. */
const LIMIT_MS = 3_600_000
const BUFFERED_BYTES = 16 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'
const EVENTS_TYPE = 'text/event-stream'

type Input = Parameters<Handler<Contract['models']['chat']>>[0]
/** A request whose body is that of a chat, or of an endpoint beside chats. */
export interface ChatInput {
  request: Pick<FastifyRequest, 'principal' | 'id'>
  reply: FastifyReply
  body: ChatRequest & Pick<Input['body'], 'stream_options'>
  endpoint?: Endpoint
  /** The file of an endpoint that takes a form. */
  file?: ChatFile
}

/** POST /v1/chat/completions */
export const completeChat =
  (context: ChatContext): Handler<Contract['models']['chat']> =>
  (input) =>
    input.body.stream === true ? streamChunks(context, input) : complete(context, input)

async function complete(context: ChatContext, input: Input) {
  const { request, reply } = input
  const answer = await askChat(context, input)
  const created = Math.floor(context.clock.nowMs() / 1000)
  // Some servers leave out what only clients of OpenAI expect.
  const completed = { id: request.id, object: 'chat.completion', created, ...answer }
  return sendWhole(reply, completed)
}

/** Sends an answer as bytes, because a fault in a field that the caller may not even read is no reason to withhold it. */
export function sendWhole(reply: FastifyReply, answer: object) {
  reply.header('content-type', JSON_TYPE)
  return { status: 200 as const, body: Buffer.from(JSON.stringify(answer)) }
}

/** Streams an answer as the chunks that the model sends. */
export function streamChunks(context: ChatContext, input: ChatInput) {
  const wantsUsage = input.file !== undefined || input.body.stream_options?.include_usage === true
  return streamChat(context, input, (batches, options) => chatEvents(batches, { ...options, wantsUsage }))
}

/** Asks for a whole answer, and counts it. */
export async function askChat(
  { chat, usage }: ChatContext,
  { body, endpoint, file, request, reply }: ChatInput,
) {
  const principal = principalOf(request)
  const options = { signal: departureSignal(reply), tenant: principal.accountId, endpoint, file }
  const answer = await chat.complete(body, options)
  usage.add(principal, body.model, tokensOf(answer))
  return answer
}

/** Streams an answer as the events that `writeEvents` makes of it, and counts it. */
export async function streamChat(
  { chat, usage, events, metrics }: ChatContext,
  { body, endpoint, file, request, reply }: ChatInput,
  writeEvents: (
    batches: AsyncIterable<readonly ChatObject[]>,
    options: EventOptions,
  ) => AsyncGenerator<Uint8Array, void, undefined>,
) {
  const principal = principalOf(request)
  const signal = departureSignal(reply)
  // Forms have no such option.
  const more = file === undefined && { stream_options: { ...body.stream_options, include_usage: true } }
  const asked = { ...body, ...more }
  const options = { signal, tenant: principal.accountId, endpoint, file }
  const batches = chat.streamBatches(asked, options)[Symbol.asyncIterator]()
  const first = batches.next()
  first.then(
    () => metrics.firstToken.observe({}, reply.elapsedTime / 1000),
    () => undefined,
  )
  let tokens: Tokens | undefined
  const settle = () => usage.add(principal, body.model, tokens)
  function toErrorBody(error: unknown): ErrorBody {
    const apiError = toApiError(error, translateChatError)
    if (!signal.aborted) events.record('chat_broken_off', { request_id: request.id, code: apiError.code })
    return apiError.toBody(request.id)
  }
  const written = writeEvents(resume(first, batches), {
    onTokens: (reported) => (tokens = reported),
    toErrorBody,
  })
  const sent = await openEventStream(written, { first, toErrorBody })
  reply.header('content-type', EVENTS_TYPE).header('cache-control', 'no-cache')
  const sending = streamToReceiver(sent, {
    bufferedBytes: BUFFERED_BYTES,
    idleMs: IDLE_MS,
    limitMs: LIMIT_MS,
    onStuck(reason) {
      events.record('chat_aborted', { request_id: request.id, reason })
      metrics.chatStuck.add({ reason })
      reply.raw.destroy()
    },
  })
  sending.once('close', settle)
  return { status: 200 as const, body: sending }
}
