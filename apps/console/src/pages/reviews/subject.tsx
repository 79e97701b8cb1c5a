import type { Verification } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Age } from '../../parts/age.tsx'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

export const STATUS_TONES: Readonly<Record<Verification['decision'], Tone>> = {
  approved: 'good',
  declined: 'bad',
  review: 'busy',
  pending: 'plain',
}

/** Whom the case is about, and what they sent before. */
export function Subject(props: { externalId: string; thisId: string; isShown: boolean }) {
  const { externalId, thisId, isShown } = props
  const read = useQuery({
    queryKey: ['subject', externalId],
    queryFn: ({ signal }) => vaani.identity.subject(externalId, {}, { signal }),
    enabled: isShown,
    gcTime: 0,
  })
  const others = read.data?.data.filter(({ verification_id }) => verification_id !== thisId) ?? []
  return (
    <section aria-label={t.reviews.person}>
      <h2>{t.reviews.person}</h2>
      {isShown ? <p>{externalId}</p> : <p className="hint">{t.reviews.hidden}</p>}
      {isShown && read.isPending && <Loading />}
      {isShown && read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {isShown && read.data && others.length === 0 && <p className="hint">{t.reviews.firstTime}</p>}
      {isShown && others.length > 0 && (
        <ul className="earlier">
          {others.map(({ verification_id, decision, created_at }) => (
            <li key={verification_id}>
              <Badge tone={STATUS_TONES[decision]}>{t.reviews.statuses[decision]}</Badge>
              <Link href={`/reviews/${verification_id}`}>
                {created_at === undefined ? verification_id : <Age at={created_at} />}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
