import type { Exchange, Transport } from '../transport/transport.ts'
import type { Pending } from '../transport/pending.ts'

/** One page of a list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  /** Give it as `cursor` for the next page; null on the last. */
  readonly next_cursor: string | null
}

/**
 * A list: awaited it is its first page, iterated it is every entry of every page.
 *
 * @example
 * for await (const call of vaani.calls.list({ status: 'failed' })) console.log(call.call_id)
 */
export interface List<Item> extends Pending<Page<Item>>, AsyncIterable<Item> {}

export function list<Item>(transport: Transport, exchange: Exchange<Page<Item>>): List<Item> {
  const first = transport.send(exchange)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let page = await first
      for (;;) {
        yield* page.data
        const cursor = page.next_cursor
        // Also where it is left out: the first page would come again and again.
        if (!cursor) return
        page = await transport.send({ ...exchange, query: { ...exchange.query, cursor } })
      }
    },
  })
}
