import { useQuery } from '@tanstack/react-query'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { t } from '../../text/text.ts'
import { Mismatch } from './mismatches.tsx'
import { MIGRATION_KEY, worker } from './worker.ts'

/** One submission that both versions decided. */
export function PairPage({ id }: { id: string }) {
  const read = useQuery({
    queryKey: [...MIGRATION_KEY, 'pair', id],
    queryFn: ({ signal }) => worker.retrievePair(id, { signal }),
  })
  return (
    <Loaded read={read} list={{ path: '/migration', title: t.migration.title }} title={id}>
      {(pair) => (
        <>
          <PageHeader title={t.migration.pair} />
          <Mismatch of={pair} />
          <JsonView of={pair} />
        </>
      )}
    </Loaded>
  )
}
