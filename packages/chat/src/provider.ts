import type { Endpoint, EndpointModels } from './endpoints.ts'

/** A chat request in the OpenAI wire format, as it was received; unknown fields are kept. `model` is the provider's own name. */
export type ChatRequest = { readonly model: string; readonly [field: string]: unknown }

/** An object of the OpenAI wire format (chat.completion or chat.completion.chunk). */
export type ChatObject = { readonly [field: string]: unknown }

/** A file that is sent as the part `file` of a form. */
export interface ChatFile {
  /** Its name, from which servers learn the type. */
  readonly name: string
  /** May be read several times, once for each attempt. */
  readonly content: Blob
}

export interface ChatOptions {
  signal: AbortSignal
  /** Owner of the request, such as an account id. Tenants take turns where requests wait in this process. */
  tenant?: string | undefined
  /** What is asked for instead of a chat. The request and the answer are then of that kind. */
  endpoint?: Endpoint | undefined
  /**
   * The file of an endpoint that takes a form. The fields of the request are then its text parts; a list is a part for each
   * value. An answer that is not JSON, because the request asked for another `response_format`, is `{ text, media_type }`.
   */
  file?: ChatFile | undefined
}

/** Something that answers chats: a server, several of them, or a model in the process. */
export interface ChatProvider {
  /** Models that chat. */
  models(): readonly string[]
  /** Models with what it has beside chats, if anything. */
  endpoints?(): EndpointModels
  /** Answers whole. @throws ChatError */
  complete(request: ChatRequest, options: ChatOptions): Promise<ChatObject>
  /**
   * Answers in chunks, in order; with `stream_options.include_usage` the last has `usage` and no choices.
   *
   * @throws ChatError on the first or a later chunk
   */
  stream(request: ChatRequest, options: ChatOptions): AsyncIterable<ChatObject>
  close(): Promise<void>
}

/** A provider that gives chunks as they arrive, so that those which arrived together are sent on together. */
export interface BatchingChatProvider extends ChatProvider {
  /** As `stream`, in batches of one or more chunks. @throws ChatError on the first or a later batch */
  streamBatches(request: ChatRequest, options: ChatOptions): AsyncIterable<readonly ChatObject[]>
}
