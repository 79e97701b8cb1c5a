import { TruncatedStreamError } from '../errors.ts'
import { createApiError } from '../transport/api-error.ts'
import type { Pending } from '../transport/pending.ts'
import { parseJson, propertiesOf } from '../transport/json.ts'
import type { Received } from '../transport/attempt.ts'
import { readLines } from './lines.ts'
import { cancel, readChunks } from '../transport/read-chunks.ts'

/**
 * Stream of items. It can be read once; a second read fails with `ConsumedStreamError`. Leaving the loop ends the connection, and
 * so does leaving a block with `await using`.
 */
export interface ItemStream<Item> extends AsyncIterable<Item>, AsyncDisposable {
  /** Ends the connection of an unread stream. */
  cancel(): void
  /** Converts it to a web stream, for example to pipe it through others. Reads nothing ahead of demand. */
  toReadableStream(): ReadableStream<Item>
}

export function createItemStream<Item>(
  received: Received,
  read: () => AsyncGenerator<Item, void, undefined>,
): ItemStream<Item> {
  const end = (): void => cancel(received)
  return {
    cancel: end,
    toReadableStream() {
      const items = read()
      return new ReadableStream<Item>(
        {
          async pull(controller) {
            const { done, value } = await items.next()
            if (done) controller.close()
            else controller.enqueue(value)
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      )
    },
    [Symbol.asyncIterator]: read,
    [Symbol.asyncDispose]: async () => end(),
  }
}

/** Promise of a stream that can also be iterated directly. */
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

const linesOf = (received: Received): AsyncGenerator<string, void, undefined> =>
  readLines(readChunks(received), (fault) => createApiError(received, '', fault))

/** @throws TruncatedStreamError if a line is not JSON: by contract, only a cut-off can cause that */
export function readNdjson<Item>(received: Received): ItemStream<Item> {
  return createItemStream(received, async function* () {
    for await (const line of linesOf(received)) if (line !== '') yield parseItem<Item>(line, received)
  })
}

const END = '[DONE]'

/** Reads server-sent events with one JSON value each, up to `[DONE]` or the last item. */
export function readEvents<Item>(
  received: Received,
  isLast: (item: Item) => boolean = () => false,
): ItemStream<Item> {
  return createItemStream(received, async function* () {
    let data: string[] = []
    for await (const line of linesOf(received)) {
      if (line.startsWith('data:')) data.push(line.replace(/^data: ?/, ''))
      if (line !== '' || data.length === 0) continue
      const text = data.join('\n')
      data = []
      if (text === END) return
      const item = parseItem<Item>(text, received)
      yield item
      if (isLast(item)) return
    }
    throw new TruncatedStreamError(received.context)
  })
}

function parseItem<Item>(text: string, received: Received): Item {
  const item = parseJson(text)
  if (item === undefined) throw new TruncatedStreamError(received.context)
  if (propertiesOf(item)['error']) throw createApiError(received, text)
  return item as Item
}
