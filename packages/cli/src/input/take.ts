/** Yields the first items of a list, reading no more pages than needed. */
export async function* take<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let taken = 0
  for await (const item of items) {
    yield item
    taken += 1
    if (taken >= count) return
  }
}
