interface Request {
  cursor: string
  limit: number
}

/** The digits of ids, which sort like them. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns the id that follows an id in order. */
export function idAfter(id: string): string {
  const end = id.replace(/z+$/, '')
  const next = DIGITS.charAt(DIGITS.indexOf(end.slice(-1)) + 1)
  return (end.slice(0, -1) + next).padEnd(id.length, '0')
}

/** Reads one row of a list that has no route for a single one. Rows sort by their ids, and a cursor is the id before a page. */
export async function readOnlyRow<Row>(
  id: string,
  {
    idOf,
    read,
  }: { idOf: (row: Row) => string; read: (page: Request) => PromiseLike<{ data: readonly Row[] }> },
): Promise<{ data: readonly Row[] }> {
  const { data } = await read({ cursor: idAfter(id), limit: 1 })
  return { data: data.filter((row) => idOf(row) === id) }
}
