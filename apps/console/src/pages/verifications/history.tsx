import type { ReviewEntry, Verification } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { type Happening, Timeline } from '../../parts/timeline.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { useSent } from '../webhooks/use-sent.tsx'

/** Entries of reviewers. More are seldom, and then the oldest are left out. */
const MOST = 100

/** What happened to a verification: its decision, what people did, and which webhooks were sent about it. */
export function History({ of: verification }: { of: Verification }) {
  const { verification_id: id, decision, created_at, decided_at } = verification
  const work = useQuery({
    queryKey: ['review-history', id, decision],
    queryFn: ({ signal }) => vaani.reviews.history(id, { limit: MOST }, { signal }),
    enabled: useScope('identity:review'),
  })
  const sent = useSent(id)
  const happenings: readonly Happening[] = [
    ...(decided_at ? [{ id: 'decided', at: decided_at, what: t.verifications[decision] }] : []),
    ...(work.data?.data ?? []).map(happeningOf),
    ...sent.happenings,
    ...(created_at ? [{ id: 'created', at: created_at, what: t.verifications.submitted }] : []),
  ]
  const error = work.error ?? sent.error
  return (
    <>
      {error && <Problem error={error} />}
      <Timeline of={happenings} />
    </>
  )
}

const happeningOf = (entry: ReviewEntry): Happening => ({
  id: entry.entry_id,
  at: entry.created_at,
  what: [
    t.verifications.acts[entry.type],
    entry.artifact && t.reviews.artifacts[entry.artifact],
    entry.problem && t.reviews.problems[entry.problem],
    entry.decision && t.verifications[entry.decision],
    entry.reasons.map((reason) => t.reviews.reasonTexts[reason]).join(', '),
    entry.note,
  ]
    .filter(Boolean)
    .join(' · '),
  detail: entry.reviewer ?? <ObjectLink id={entry.key_id} />,
})
