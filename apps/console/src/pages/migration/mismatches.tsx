import type { Pair, PairSide } from '@vaani/client'
import { groupMismatches, type MismatchGroup } from '@vaani/migration-charts'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Coded } from '../../parts/coded.tsx'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { meaningOf } from '../../parts/meaning-of.ts'
import { nameIn } from '../../parts/name-in.ts'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { findingName } from '../reviews/names.ts'
import { MIGRATION_KEY, POLL_MS, worker } from './worker.ts'

/** Mismatches that are asked for at a time. */
const PAGE = 50

const TONES: Readonly<Record<NonNullable<Pair['severity']>, Tone>> = {
  worst: 'bad',
  serious: 'busy',
  mild: 'plain',
}

/** The mismatches that nobody has looked into, by class, the worst first; older ones on demand. */
export function Mismatches() {
  const list = useInfiniteQuery({
    queryKey: [...MIGRATION_KEY, 'mismatches'],
    queryFn: async ({ pageParam, signal }) =>
      worker.listPairs(
        { open: 'true', limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    // Each page is a request, so that many are read again less often.
    refetchInterval: ({ state: { data } }) => POLL_MS * (data?.pages.length ?? 1),
  })
  const pairs = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <section aria-labelledby="mismatches">
      <h2 id="mismatches">{t.migration.mismatches}</h2>
      {list.isPending && <Loading />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && pairs.length === 0 && <p>{t.migration.noMismatches}</p>}
      {list.hasNextPage && <p className="hint">{t.migration.newestMismatches(pairs.length)}</p>}
      {groupMismatches(pairs).map((group) => (
        <Class key={`${group.severity} ${group.v1} ${group.v2}`} of={group} />
      ))}
      {list.hasNextPage && (
        <button
          type="button"
          className="more"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t.common.more}
        </button>
      )}
    </section>
  )
}

const Class = ({ of: { severity, v1, v2, pairs } }: { of: MismatchGroup }) => (
  <details className="mismatches">
    <summary>
      {severity !== null && <Badge tone={TONES[severity]}>{t.migration.severities[severity]}</Badge>}{' '}
      {t.migration.classOf(wordOf(v1), wordOf(v2))} <small>{t.formats.number(pairs.length)}</small>
    </summary>
    {pairs.map((pair) => (
      <Mismatch key={pair.pair_id} of={pair} />
    ))}
  </details>
)

const wordOf = (ending: PairSide['ending']): string =>
  ending === null ? t.migration.notKnown : t.migration.endings[ending]

/** How the two versions ended one submission, and how to close the difference. */
export const Mismatch = ({ of: pair }: { of: Pair }) => (
  <article aria-label={pair.pair_id}>
    <Facts
      of={[
        [t.common.id, <CopiedId key="id" id={pair.pair_id} />],
        [t.migration.differsIn, differencesOf(pair)],
        ['v1', <Side key="v1" of={pair.v1} />],
        ['v2', <Side key="v2" of={pair.v2} />],
        [t.migration.submitted, <Time key="submitted" at={pair.created_at} />],
        [t.migration.noteOf, pair.note],
      ]}
    />
    {pair.severity !== null && pair.acknowledged_at === null && <Acknowledge id={pair.pair_id} />}
  </article>
)

function differencesOf({ differs_in_code, differing_scores, fields }: Pair): string | null {
  const parts = [
    ...(differs_in_code ? [t.migration.errorCode] : []),
    ...(differing_scores.length > 0
      ? [t.migration.scores(differing_scores.map((name) => t.migration.scoreNames[name]).join(', '))]
      : []),
    ...Object.entries(fields)
      .filter(([, kind]) => kind !== 'equal')
      .map(
        ([name, kind]) => `${nameIn(t.reviews.fieldNames, name) ?? name}: ${t.migration.fieldClasses[kind]}`,
      ),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}

const Side = ({ of: { verification_id, error_code, reason_codes } }: { of: PairSide }) => (
  <ul>
    {verification_id !== null && <li>{verification_id}</li>}
    {error_code !== null && (
      <li>
        <Coded name={meaningOf(error_code)?.name} code={error_code} />
      </li>
    )}
    {reason_codes.map((code) => (
      <li key={code}>
        <Coded name={findingName(code)} code={code} />
      </li>
    ))}
  </ul>
)

/** Closes a mismatch with a note. It still counts as evidence. */
function Acknowledge({ id }: { id: string }) {
  const field = useId()
  const queries = useQueryClient()
  const close = useMutation({
    mutationFn: (note: string) => worker.acknowledgePair(id, { note }),
    onSuccess: () => queries.invalidateQueries({ queryKey: MIGRATION_KEY }),
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    close.mutate(String(new FormData(event.currentTarget).get('note')))
  }
  return (
    <form className="line" onSubmit={submit}>
      <label htmlFor={field}>{t.migration.note}</label>
      <input id={field} name="note" maxLength={500} required autoComplete="off" />
      <button type="submit" disabled={close.isPending}>
        {t.migration.acknowledge}
      </button>
      {close.error && <Problem error={close.error} />}
    </form>
  )
}
