import type { Review } from '@vaani/client'
import { Problem } from '../../parts/problem.tsx'
import { useKeys } from '../../parts/use-keys.ts'
import { t } from '../../text/text.ts'
import { Ask } from './ask.tsx'
import { Claim } from './claim.tsx'
import { Decision } from './decision.tsx'
import type { Draft } from './draft.ts'
import type { Artifact } from './places.ts'
import { useReread } from './reread.ts'
import type { useClaim } from './use-claim.ts'

/** What can be done with a case: take it, decide it, ask the person again, or give it back. */
export function Acts(props: {
  review: Review
  claiming: ReturnType<typeof useClaim>
  /** What is looked at. */
  artifact: Artifact
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  onNext: () => void
}) {
  const { review, claiming, artifact, draft, onChange, onNext } = props
  const { isOpen, isMine, claim, release, onGivenUp } = claiming
  const id = review.verification.verification_id
  const reread = useReread(id)
  useKeys({
    ...(isOpen && !isMine && { c: () => claim.mutate() }),
    ...(isMine && { u: () => release.mutate() }),
  })
  function finish() {
    onChange({ decision: null, reasons: [], note: '' })
    onGivenUp()
    reread()
  }
  return (
    <div className="acts">
      {review.claim !== null && (
        <Claim claim={review.claim} isMine={isMine} onRenew={() => claim.isPending || claim.mutate()} />
      )}
      <Decision
        id={id}
        isMine={isMine}
        draft={draft}
        onChange={onChange}
        onDecided={() => {
          finish()
          onNext()
        }}
        onRefused={reread}
      />
      {isMine && (
        <>
          <Ask
            id={id}
            artifact={artifact}
            note={draft.note}
            onNote={(note) => onChange({ note })}
            onAsked={finish}
          />
          <button type="button" aria-keyshortcuts="u" onClick={() => release.mutate()}>
            {t.reviews.release} <kbd>u</kbd>
          </button>
        </>
      )}
      {isOpen && !isMine && (
        <button
          type="button"
          className="primary"
          aria-keyshortcuts="c"
          disabled={claim.isPending}
          onClick={() => claim.mutate()}
        >
          {t.reviews.take} <kbd>c</kbd>
        </button>
      )}
      {claim.error && <Problem error={claim.error} />}
      {release.error && <Problem error={release.error} />}
    </div>
  )
}
