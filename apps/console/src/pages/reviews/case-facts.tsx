import type { Review } from '@vaani/client'
import { Age } from '../../parts/age.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useSession } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'
import { nameOf } from './names.ts'

export function CaseFacts({ review }: { review: Review }) {
  const { verification_id, created_at } = review.verification
  return (
    <Facts
      of={[
        [t.reviews.submitted, created_at && <Age key="age" at={created_at} />],
        [t.reviews.due, review.due_at && <Due key="due" at={review.due_at} />],
        [t.reviews.policy, review.policy],
        [t.common.id, <CopiedId key="id" id={verification_id} />],
      ]}
    />
  )
}

/** When a case should be decided; what is late stands out. */
export const Due = ({ at }: { at: string }) => (
  <span className={Date.parse(at) < Date.now() ? 'late' : undefined}>
    <Age at={at} />
  </span>
)

/** Who has voted, and how many more must agree. Shown if one person does not suffice. */
export function Votes({ review: { votes, reviewers_needed: needed } }: { review: Review }) {
  const { session } = useSession()
  if (needed === 1 && votes.length === 0) return null
  return (
    <section aria-label={t.reviews.votes}>
      <h2>{t.reviews.votes}</h2>
      <p className="hint">{t.reviews.agree(needed)}</p>
      <ol className="history">
        {votes.map(({ entry_id, decision, reasons, reviewer, key_id, created_at, note }) => (
          <li key={entry_id}>
            <span>
              <strong>{decision !== null && t.reviews.statuses[decision]}</strong>
              {reasons.map((reason) => ` · ${t.reviews.reasonTexts[reason]}`)}
            </span>
            <span className="by">
              {nameOf({ reviewer, key_id }, session)} · <Age at={created_at} />
            </span>
            {note !== null && <p>{note}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
