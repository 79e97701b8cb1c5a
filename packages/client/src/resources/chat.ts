import { modelsChat } from '../generated/routes.ts'
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from '../generated/types.ts'
import { type ItemStream, iterable, type PendingStream, readEvents } from '../streams/item-stream.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { connect, type Connection } from './resource.ts'

/** Chat completions, in the OpenAI wire format. */
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
}

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
  }
}
