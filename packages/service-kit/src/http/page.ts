/** Makes a page of a list that was read with one row more than the limit. The cursor is the id of the page's last row. */
export function toPage<Row, View>(options: {
  rows: readonly Row[]
  limit: number
  id: (row: Row) => string
  view: (row: Row) => View
}): { data: View[]; has_more: boolean; next_cursor: string | null } {
  const { rows, limit, id, view } = options
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return {
    data: page.map(view),
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? id(last) : null,
  }
}
