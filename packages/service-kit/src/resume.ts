/** Yields a result that is already asked for, and then the rest. Whoever ends the iteration ends that of the rest. */
export async function* resume<Item>(
  first: IteratorResult<Item, unknown> | Promise<IteratorResult<Item, unknown>>,
  rest: AsyncIterator<Item, unknown>,
): AsyncGenerator<Item, void, undefined> {
  try {
    for (let next = await first; next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
