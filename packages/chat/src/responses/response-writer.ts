import type { ChatObject } from '../provider.ts'
import { isObject } from '../upstream/upstream-error.ts'
import { CallItem } from './call-item.ts'
import { MessageItem, type TextKind } from './message-item.ts'
import type { ItemStatus, OutputItem, ResponseEvent, UnnumberedEvent } from './output-item.ts'
import type { ResponseRequest } from './request.ts'
import {
  createResponse,
  type IncompleteReason,
  type ResponseIdentity,
  type ResponseObject,
  type ResponseState,
  toIncompleteReason,
} from './response.ts'

/** Error of a response, and of the event before it. */
export interface ResponseFailure {
  readonly code: string
  readonly message: string
  readonly param: string | null
}

/**
 * Translates the chunks of a chat into the events of a streamed response: call `begin`, `add` for each chunk, then `finish` or
 * `fail`. It holds the whole answer, which the last event repeats.
 *
 * @example
 * const writer = new ResponseWriter(request, { id: 'a1', createdAt: 1_795_150_800 })
 * send(writer.begin())
 * for await (const chunk of chat.stream(toChatRequest(request), { signal })) send(writer.add(chunk))
 * send(writer.finish())
 */
export class ResponseWriter {
  readonly #request: ResponseRequest
  readonly #identity: ResponseIdentity
  readonly #items: OutputItem[] = []
  readonly #ended = new Set<OutputItem>()
  /** Calls by their index in the chat. They end with the response, because servers may write several at once. */
  readonly #calls = new Map<number, CallItem>()
  #message: MessageItem | undefined
  #reason: IncompleteReason | undefined
  #usage: unknown
  #sequenceNumber = 0

  constructor(request: ResponseRequest, identity: ResponseIdentity) {
    this.#request = request
    this.#identity = identity
  }

  begin(): ResponseEvent[] {
    const response = this.#response({ status: 'in_progress', output: [] })
    return this.#number([
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ])
  }

  /** @param chunk a chat.completion.chunk, or a chat.completion as a whole */
  add({ choices, usage }: ChatObject): ResponseEvent[] {
    this.#usage = usage ?? this.#usage
    const first: unknown = Array.isArray(choices) ? choices[0] : undefined
    if (!isObject(first) || (first['index'] ?? 0) !== 0) return []
    this.#reason = toIncompleteReason(first['finish_reason']) ?? this.#reason
    const delta = first['delta'] ?? first['message']
    if (!isObject(delta)) return []
    return this.#number([
      ...this.#write('output_text', delta['content'], logprobsOf(first)),
      ...this.#write('refusal', delta['refusal'], []),
      ...listIn(delta, 'tool_calls').flatMap((call, position) => this.#call(call, position)),
    ])
  }

  finish(): ResponseEvent[] {
    const ends = this.#items.flatMap((item) => this.#end(item))
    const response = this.response()
    return this.#number([...ends, { type: `response.${response['status']}`, response }])
  }

  fail({ code, message, param }: ResponseFailure): ResponseEvent[] {
    const known = code === 'rate_limit_exceeded' ? code : 'server_error'
    const error = { code: known, message }
    const output = this.#items.map((item) => item.item(this.#ended.has(item) ? 'completed' : 'incomplete'))
    return this.#number([
      { type: 'error', code, message, param },
      { type: 'response.failed', response: this.#response({ status: 'failed', output, error }) },
    ])
  }

  /** The whole response. */
  response(): ResponseObject {
    const status = this.#reason === undefined ? 'completed' : 'incomplete'
    return this.#response({ status, output: this.#items.map((item) => item.item(this.#statusOf(item))) })
  }

  #write(kind: TextKind, text: unknown, logprobs: readonly unknown[]): UnnumberedEvent[] {
    if (typeof text !== 'string' || text === '') return []
    const open = this.#message
    if (open?.kind === kind) return open.push(text, logprobs)
    const message = new MessageItem(kind, this.#identity.id, this.#items.length)
    const before = this.#endMessage()
    this.#message = message
    return [...before, ...this.#begin(message), ...message.push(text, logprobs)]
  }

  #call(call: unknown, position: number): UnnumberedEvent[] {
    if (!isObject(call)) return []
    const named = isObject(call['function']) ? call['function'] : {}
    const delta = textIn(named, 'arguments')
    const index = typeof call['index'] === 'number' ? call['index'] : position
    const known = this.#calls.get(index)
    if (known !== undefined) return delta === '' ? [] : known.push(delta)
    const began = { id: textIn(call, 'id'), name: textIn(named, 'name') }
    const item = new CallItem(began, this.#identity.id, this.#items.length)
    this.#calls.set(index, item)
    const before = this.#endMessage()
    return [...before, ...this.#begin(item), ...(delta === '' ? [] : item.push(delta))]
  }

  #begin(item: OutputItem): UnnumberedEvent[] {
    this.#items.push(item)
    return item.begin()
  }

  #endMessage(): UnnumberedEvent[] {
    const message = this.#message
    this.#message = undefined
    return message === undefined ? [] : this.#end(message)
  }

  #end(item: OutputItem): UnnumberedEvent[] {
    if (this.#ended.has(item)) return []
    this.#ended.add(item)
    return item.end(this.#statusOf(item))
  }

  /** Only the last item is cut off. */
  #statusOf(item: OutputItem): ItemStatus {
    return this.#reason !== undefined && item === this.#items.at(-1) ? 'incomplete' : 'completed'
  }

  #response(state: ResponseState): ResponseObject {
    const more = { reason: this.#reason, usage: this.#usage }
    return createResponse(this.#request, this.#identity, { ...more, ...state })
  }

  #number(events: readonly UnnumberedEvent[]): ResponseEvent[] {
    return events.map(({ type, ...event }) => ({ type, sequence_number: this.#sequenceNumber++, ...event }))
  }
}

type Fields = { readonly [field: string]: unknown }

function listIn(fields: Fields, member: string): readonly unknown[] {
  const value = fields[member]
  return Array.isArray(value) ? value : []
}

function textIn(fields: Fields, member: string): string {
  const value = fields[member]
  return typeof value === 'string' ? value : ''
}

const logprobsOf = ({ logprobs }: Fields): readonly unknown[] =>
  isObject(logprobs) ? listIn(logprobs, 'content') : []
