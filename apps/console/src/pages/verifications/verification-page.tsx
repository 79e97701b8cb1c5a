import type { Verification } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { usePollMs } from '../../live/live.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortId } from '../../parts/short-id.ts'
import type { EntryState } from '../../go-to/entry-state.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Time } from '../../parts/time.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { language, sentences, t } from '../../text/text.ts'
import { findingName } from '../reviews/names.ts'
import { Checks } from './checks.tsx'
import { Erasure } from './erasure.tsx'
import { ExtractedFields } from './extracted-fields.tsx'
import { History } from './history.tsx'
import { OthersOf } from './verification-list.tsx'
import { VerificationStatus } from './verification-status.tsx'

const POLL_MS = 5000
/** Reads of a pending verification are limited, and belong to whoever waits for it. */
const MOST_POLLS = 12

/** One verification: why it was decided so, what happened, and who it is about. */
export function VerificationPage({ id }: { id: string }) {
  const queryKey = ['verification', id]
  const pollMs = usePollMs(queryKey, POLL_MS)
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.identity.retrieve(id, {}, { signal }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.decision === 'pending' && dataUpdateCount < MOST_POLLS ? pollMs : false,
  })
  const isReviewer = useScope('identity:review')
  return (
    <Loaded read={read} list={{ path: '/verifications', title: t.verifications.all }} title={id}>
      {(verification) => (
        <>
          <PageHeader title={verification.external_id ?? id} tab={shortId(id)}>
            <span aria-live="polite">
              <VerificationStatus of={verification} />
            </span>
            {verification.decision === 'review' && isReviewer && (
              <Link href={`/reviews/${id}`} className="button">
                {t.verifications.decide}
              </Link>
            )}
          </PageHeader>
          <VerificationFacts of={verification} />
          <Reasons of={verification} />
          {isReviewer && verification.decision !== 'pending' && <Checks id={id} />}
          <ExtractedFields id={id} />
          <h2>{t.verifications.history}</h2>
          <History of={verification} />
          {verification.external_id && (
            <>
              <h2>{t.verifications.others}</h2>
              <OthersOf externalId={verification.external_id} but={id} />
            </>
          )}
          <JsonView of={verification} />
          {verification.decision !== 'pending' && <Erasure of={verification} />}
        </>
      )}
    </Loaded>
  )
}

const VerificationFacts = ({ of: one }: { of: Verification }) => (
  <Facts
    of={[
      [t.common.id, <CopiedId key="id" id={one.verification_id} />],
      [
        t.verifications.person,
        one.external_id && (
          <Link key="person" href="/verifications" state={{ person: one.external_id } satisfies EntryState}>
            {one.external_id}
          </Link>
        ),
      ],
      [t.verifications.created, one.created_at && <Time key="created" at={one.created_at} />],
      [t.verifications.decided, one.decided_at && <Time key="decided" at={one.decided_at} />],
      [t.verifications.models, one.model_used],
    ]}
  />
)

/** Why it was decided so, as the person is told. */
const Reasons = ({ of: { reasons = [] } }: { of: Verification }) =>
  reasons.length > 0 && (
    <>
      <h2>{t.verifications.reasons}</h2>
      <ul className="reasons">
        {reasons.map((reason) => {
          const translated = sentences?.reason(reason)
          const { message, next_step } = translated ?? reason
          return (
            <li key={reason.code}>
              <strong>{findingName(reason.code)}</strong> <code>{reason.code}</code>
              <p lang={translated ? language : 'en'}>
                {message} {next_step}
              </p>
            </li>
          )
        })}
      </ul>
    </>
  )
