import type { Review } from '@vaani/client'
import { Badge } from '../../parts/badge.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useKeys } from '../../parts/use-keys.ts'
import { t } from '../../text/text.ts'
import { Acts } from './acts.tsx'
import { CaseFacts } from './case-facts.tsx'
import { useDraft } from './draft.ts'
import { Evidence } from './evidence.tsx'
import { KeysHelp } from './keys-help.tsx'
import { Notes } from './notes.tsx'
import { STATUS_TONES } from './subject.tsx'
import { useClaim } from './use-claim.ts'
import { useNext } from './use-next.ts'
import { titleOf } from './names.ts'

/** Everything about a case, once it is read. */
export function Case({ review }: { review: Review }) {
  const { verification_id: id, decision } = review.verification
  const next = useNext()
  const claiming = useClaim(review)
  const { isOpen, isLost } = claiming
  const [draft, change] = useDraft(id)
  useKeys({ n: () => next.isPending || next.mutate() })
  return (
    <>
      <PageHeader title={titleOf(review)} takesFocus>
        {!isOpen && <Badge tone={STATUS_TONES[decision]}>{t.reviews.statuses[decision]}</Badge>}
        <KeysHelp keys={Object.entries(t.reviews.keyTexts)} />
        <button type="button" aria-keyshortcuts="n" disabled={next.isPending} onClick={() => next.mutate()}>
          {t.reviews.next} <kbd>n</kbd>
        </button>
      </PageHeader>
      <CaseFacts review={review} />
      {next.error && <Problem error={next.error} />}
      {isLost && (
        <p role="alert" className="notice">
          {t.reviews.lost}
        </p>
      )}
      {isOpen && review.waiting_for === 'person' && <p className="notice">{t.reviews.asked}</p>}
      <Evidence review={review}>
        {(artifact) => (
          <Acts
            review={review}
            claiming={claiming}
            artifact={artifact}
            draft={draft}
            onChange={change}
            onNext={() => next.mutate()}
          />
        )}
      </Evidence>
      <Notes id={id} remark={draft.remark} onRemark={(remark) => change({ remark })} />
    </>
  )
}
