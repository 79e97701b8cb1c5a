import type { Batch } from '@vaani/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ConfirmedAct } from '../../parts/confirmed-act.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { BatchStatus, hasEnded } from './batch-status.tsx'

const POLL_MS = 2000

/** One batch: how far it is, its results as a file, and how to cancel it. */
export function BatchPage({ id }: { id: string }) {
  const queries = useQueryClient()
  const queryKey = ['batch', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.batches.retrieve(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : POLL_MS),
  })
  const cancel = useMutation({
    mutationFn: () => vaani.batches.cancel(id),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <Loaded read={read} list={{ path: '/batches', title: t.batches.all }} title={id}>
      {(batch) => (
        <>
          <PageHeader title={batch.endpoint}>
            <span aria-live="polite">
              <BatchStatus of={batch} />
            </span>
            <Results of={batch} />
          </PageHeader>
          <Progress of={batch} />
          <BatchFacts of={batch} />
          <JsonView of={batch} />
          {!hasEnded(batch) && (
            <section className="page-end" aria-label={t.batches.cancel}>
              <ConfirmedAct
                name={t.batches.cancel}
                hint={t.batches.cancelHint}
                id={id}
                act={() => cancel.mutate()}
              />
            </section>
          )}
          {cancel.error && <Problem error={cancel.error} />}
        </>
      )}
    </Loaded>
  )
}

const Progress = ({ of: { counts } }: { of: Batch }) => (
  <progress
    aria-label={t.batches.done}
    max={counts.total}
    value={counts.succeeded + counts.failed}
    className="progress"
  />
)

const BatchFacts = ({ of: batch }: { of: Batch }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={batch.batch_id} />],
      [t.batches.total, batch.counts.total],
      [t.batches.succeeded, batch.counts.succeeded],
      [t.batches.failed, batch.counts.failed],
      [t.batches.created, <Time key="created" at={batch.created_at} />],
      [t.batches.completed, batch.completed_at && <Time key="completed" at={batch.completed_at} />],
      [t.batches.expires, hasEnded(batch) ? null : <Time key="expires" at={batch.expires_at} />],
    ]}
  />
)

/** Saves the results as the API sends them: one JSON object a line. */
function Results({ of: { batch_id, counts } }: { of: Batch }) {
  const save = useMutation({
    async mutationFn() {
      const lines: string[] = []
      for await (const result of vaani.batches.results(batch_id)) lines.push(`${JSON.stringify(result)}\n`)
      const url = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: `${batch_id}.ndjson` })
      link.click()
      URL.revokeObjectURL(url)
    },
  })
  return (
    <>
      <button
        type="button"
        disabled={save.isPending || counts.succeeded + counts.failed === 0}
        onClick={() => save.mutate()}
      >
        {t.batches.results}
      </button>
      {save.error && <Problem error={save.error} />}
    </>
  )
}
