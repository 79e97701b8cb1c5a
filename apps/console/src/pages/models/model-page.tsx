import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../parts/facts.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Use } from './use.tsx'

/** One model, and what the account used of it. */
export function ModelPage({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['model', id],
    queryFn: ({ signal }) => vaani.models.retrieve(id, { signal }),
  })
  return (
    <Loaded read={read} list={{ path: '/models', title: t.models.all }} title={id}>
      {(model) => (
        <>
          <PageHeader title={model.id} />
          <Facts
            of={[
              [t.models.model, <CopiedId key="id" id={model.id} />],
              [t.models.owner, model.owned_by],
              [t.models.since, <Time key="since" at={new Date(model.created * 1000).toISOString()} />],
            ]}
          />
          <h2>{t.models.use}</h2>
          <Use model={id} />
          <JsonView of={model} />
        </>
      )}
    </Loaded>
  )
}
