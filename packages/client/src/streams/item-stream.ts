import { TruncatedStreamError } from '../errors.ts'
import { createApiError } from '../transport/api-error.ts'
import type { Pending } from '../transport/pending.ts'
import type { ReceivedBody } from '../transport/received-body.ts'
import { readLines } from './lines.ts'

/** Things that come one by one; can be read once. A loop that is left ends the connection. */
export interface ItemStream<Item> extends AsyncIterable<Item> {
  /** Ends the connection of a stream that nobody reads. */
  cancel(): void
}

/** A promise of a stream, which may also be iterated at once. */
export type PendingStream<Stream extends AsyncIterable<unknown>> = Pending<Stream> &
  AsyncIterable<Stream extends AsyncIterable<infer Item> ? Item : never>

export function iterable<Item, Stream extends AsyncIterable<Item>>(
  stream: Pending<Stream & AsyncIterable<Item>>,
): Pending<Stream> & AsyncIterable<Item> {
  return Object.assign(stream, {
    async *[Symbol.asyncIterator]() {
      yield* await stream
    },
  })
}

/** @throws TruncatedStreamError where a line is no JSON: the contract knows no other reason */
export function readNdjson<Item>(body: ReceivedBody): ItemStream<Item> {
  return {
    cancel: body.cancel,
    async *[Symbol.asyncIterator]() {
      for await (const line of readLines(body.chunks())) if (line !== '') yield parseItem<Item>(line, body)
    },
  }
}

const END = '[DONE]'

/** Server-sent events of one JSON each, to the one that says that it is the last. */
export function readEvents<Item>(body: ReceivedBody): ItemStream<Item> {
  return {
    cancel: body.cancel,
    async *[Symbol.asyncIterator]() {
      let data: string[] = []
      for await (const line of readLines(body.chunks())) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
        if (line !== '' || data.length === 0) continue
        const text = data.join('\n')
        data = []
        if (text === END) return
        yield parseItem<Item>(text, body)
      }
      throw new TruncatedStreamError(body.context)
    },
  }
}

function parseItem<Item>(text: string, { context, response, nowMs }: ReceivedBody): Item {
  let item: unknown
  try {
    item = JSON.parse(text)
  } catch {
    // Not the parser's error, as its message quotes the text.
    throw new TruncatedStreamError(context)
  }
  if (typeof item === 'object' && item !== null && 'error' in item && item.error)
    throw createApiError({ response, text, context, nowMs: nowMs() })
  return item as Item
}
