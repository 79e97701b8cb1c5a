import { modelsChat, modelsRespond } from '../generated/routes.ts'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  ModelResponse,
  ModelResponseEvent,
  ModelResponseRequest,
} from '../generated/types.ts'
import { type ItemStream, iterable, type PendingStream, readEvents } from '../streams/item-stream.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection } from './resource.ts'

/** Chats with models, in the two wire formats of OpenAI. */
export interface Chat {
  complete(request: ChatCompletionRequest, options?: RequestOptions): Pending<ChatCompletion>
  /**
   * Streams the completion in chunks as the model writes it.
   *
   * @example
   * for await (const { choices } of vaani.chat.stream({ model, messages })) write(choices[0]?.delta.content ?? '')
   */
  stream(
    request: ChatCompletionRequest,
    options?: RequestOptions,
  ): PendingStream<ItemStream<ChatCompletionChunk>>
  /** Asks in the format of the Responses API. Nothing is stored, so the input has the whole conversation. */
  respond(request: ModelResponseRequest, options?: RequestOptions): Pending<ModelResponse>
  /** Streams the response in events; the last one has the whole response. */
  streamResponse(
    request: ModelResponseRequest,
    options?: RequestOptions,
  ): PendingStream<ItemStream<ModelResponseEvent>>
}

const isLast = ({ type }: ModelResponseEvent): boolean =>
  /^response\.(completed|incomplete|failed)$/.test(type)

/** Creates the chat namespace alone, for a smaller bundle. */
export function createChat(connection: Connection): Chat {
  const transport = connect(connection)
  return {
    complete: (request, options) =>
      transport.send({ route: modelsChat, json: { ...request, stream: false }, options }),
    stream: (request, options) =>
      iterable(
        transport.send({
          route: modelsChat,
          json: { ...request, stream: true },
          accept: 'text/event-stream',
          options,
          read: readEvents<ChatCompletionChunk>,
        }),
      ),
    respond: (request, options) =>
      transport.send({ route: modelsRespond, json: { ...request, stream: false }, options }),
    streamResponse: (request, options) =>
      iterable(
        transport.send({
          route: modelsRespond,
          json: { ...request, stream: true },
          accept: 'text/event-stream',
          options,
          read: (received) => readEvents<ModelResponseEvent>(received, isLast),
        }),
      ),
  }
}
