import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { usePollMs } from '../live/live.tsx'
import { t } from '../text/text.ts'
import { Loading } from './loading.tsx'
import { Problem } from './problem.tsx'
import { Table, type TableOf } from './table.tsx'

const POLL_MS = 5000

interface Page<Row> {
  readonly data: readonly Row[]
  /** Absent if the route lists everything at once. */
  readonly next_cursor?: string | null
}

/** How a page of a list is asked for: `cursor` is absent for the first. */
export interface PageRequest {
  cursor?: string
}

export interface ListProps<Row> extends TableOf<Row> {
  /** Names the list and its filters. */
  queryKey: QueryKey
  read: (request: PageRequest, options: { signal: AbortSignal }) => PromiseLike<Page<Row>>
  /** What is shown if there are no rows. */
  empty: ReactNode
  /** Whether only the first page is shown, as part of another page. */
  isExcerpt?: boolean
}

/** A table of a list that the API returns in pages. It follows what happens, and never moves what is being read. */
export const List = <Row,>(props: ListProps<Row>) => (
  // Other filters make another list, of which nothing has been read yet.
  <Rows key={JSON.stringify(props.queryKey)} {...props} />
)

function Rows<Row>({ queryKey, read, empty, isExcerpt = false, ...table }: ListProps<Row>) {
  const pollMs = usePollMs(queryKey, POLL_MS)
  const list = useInfiniteQuery({
    // A query by the same names keeps its answer in another shape.
    queryKey: [...queryKey, 'pages'],
    queryFn: async ({ pageParam, signal }) => read(pageParam === '' ? {} : { cursor: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Each page is a request, so that long lists are read again less often.
    refetchInterval: ({ state: { data } }) => pollMs * (data?.pages.length ?? 1),
    refetchOnMount: 'always',
  })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const held = useHeldBack(rows.map(table.idOf), list.isFetchedAfterMount)
  if (list.isPending) return <Loading />
  if (list.isError && rows.length === 0)
    return <Problem error={list.error} onRetry={() => void list.refetch()} />
  if (rows.length === 0) return <>{empty}</>
  return (
    <>
      <div className="news" role="status">
        {held.count > 0 && (
          <button type="button" onClick={held.show}>
            {t.common.fresh(held.count)}
          </button>
        )}
        {list.isError && (
          <button type="button" className="danger" onClick={() => void list.refetch()}>
            {t.common.stale}
          </button>
        )}
      </div>
      <Table {...table} rows={rows.slice(held.count)} />
      {list.hasNextPage && !isExcerpt && (
        <button
          type="button"
          className="more"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t.common.more}
        </button>
      )}
    </>
  )
}

/**
 * Holds back the rows that came above what is being read, until the person asks for them.
 *
 * @param isSettled whether the ids are fresh, and not what was known when the list was last shown
 */
function useHeldBack(ids: readonly string[], isSettled: boolean): { count: number; show: () => void } {
  const [seen, setSeen] = useState<ReadonlySet<string>>()
  if (isSettled && seen === undefined && ids.length > 0) setSeen(new Set(ids))
  return {
    // None if all that was seen is gone.
    count:
      seen === undefined
        ? 0
        : Math.max(
            0,
            ids.findIndex((id) => seen.has(id)),
          ),
    show: () => setSeen(new Set(ids)),
  }
}
