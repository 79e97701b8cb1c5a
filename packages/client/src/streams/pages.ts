import type { Exchange, Transport } from '../transport/transport.ts'
import type { Pending } from '../transport/pending.ts'

/** One page of a list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly next_cursor: string | null
}

/**
 * A list. Await it for its first page, or iterate it for every entry of every page.
 *
 * @example
 * for await (const call of vaani.calls.list({ status: 'failed' })) console.log(call.call_id)
 */
export interface List<Item> extends Pending<Page<Item>>, AsyncIterable<Item> {
  /**
   * Iterates over the pages, requesting each when it is needed.
   *
   * @example
   * for await (const { data, next_cursor } of vaani.calls.list().pages()) await store(data, next_cursor)
   */
  pages(): AsyncIterable<Page<Item>>
  /**
   * Resolves with the first entries as an array.
   *
   * @param options `limit`: maximum number of entries, at least 1
   * @throws RangeError if `limit` is below 1
   * @example
   * const failed = await vaani.calls.list({ status: 'failed' }).toArray({ limit: 500 })
   */
  toArray(options: { readonly limit: number }): Promise<Item[]>
}

export function list<Item>(transport: Transport, exchange: Exchange<Page<Item>>): List<Item> {
  const first = transport.send(exchange)
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await first
    for (;;) {
      yield page
      const cursor = page.next_cursor
      // Also stop if the service omits the cursor, or the first page would repeat forever.
      if (!cursor) return
      page = await transport.send({ ...exchange, query: { ...exchange.query, cursor } })
    }
  }
  async function* entries(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.data
  }
  return Object.assign(first, {
    pages,
    [Symbol.asyncIterator]: entries,
    async toArray({ limit }: { readonly limit: number }) {
      const items: Item[] = []
      if (!(limit >= 1)) throw new RangeError('limit must be 1 or more')
      for await (const item of entries()) if (items.push(item) >= limit) break
      return items
    },
  })
}
