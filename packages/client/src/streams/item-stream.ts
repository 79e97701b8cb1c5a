import { TruncatedStreamError } from '../errors.ts'
import { createApiError } from '../transport/api-error.ts'
import type { Pending } from '../transport/pending.ts'
import { parseJson } from '../transport/json.ts'
import type { Received } from '../transport/received.ts'
import { readLines } from './lines.ts'
import { cancel, readChunks } from './received-stream.ts'

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
export function readNdjson<Item>(received: Received): ItemStream<Item> {
  return {
    cancel: () => cancel(received),
    async *[Symbol.asyncIterator]() {
      for await (const line of readLines(readChunks(received)))
        if (line !== '') yield parseItem<Item>(line, received)
    },
  }
}

const END = '[DONE]'

/** Server-sent events of one JSON each, to the one that says that it is the last. */
export function readEvents<Item>(received: Received): ItemStream<Item> {
  return {
    cancel: () => cancel(received),
    async *[Symbol.asyncIterator]() {
      let data: string[] = []
      for await (const line of readLines(readChunks(received))) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
        if (line !== '' || data.length === 0) continue
        const text = data.join('\n')
        data = []
        if (text === END) return
        yield parseItem<Item>(text, received)
      }
      throw new TruncatedStreamError(received.context)
    },
  }
}

function parseItem<Item>(text: string, received: Received): Item {
  const item = parseJson(text)
  if (item === undefined) throw new TruncatedStreamError(received.context)
  if (typeof item === 'object' && item !== null && 'error' in item && item.error)
    throw createApiError(received, text)
  return item as Item
}
