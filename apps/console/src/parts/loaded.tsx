import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Loading } from './loading.tsx'
import { PageHeader } from './page-header.tsx'
import { Problem } from './problem.tsx'

/** The page of one object. What was read stays, even if it cannot be read again. */
export const Loaded = <Data,>(props: {
  read: UseQueryResult<Data>
  /** Where such objects are listed. */
  list: { path: string; title: string }
  /** Title of the page while there is no object. */
  title: string
  children: (data: Data) => ReactNode
}) => {
  const { read, list, title, children } = props
  return (
    <>
      <p className="back">
        <Link href={list.path}>{list.title}</Link>
      </p>
      {read.data !== undefined ? (
        children(read.data)
      ) : (
        <>
          <PageHeader title={title} />
          {read.error ? <Problem error={read.error} onRetry={() => void read.refetch()} /> : <Loading />}
        </>
      )}
    </>
  )
}
