import type { Verification } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import type { Place } from './places.ts'

type Extracted = NonNullable<Verification['extracted']>

const FIELDS = [
  'full_name',
  'surname',
  'given_names',
  'date_of_birth',
  'sex',
  'nationality',
  'document_type',
  'document_number',
  'issuing_country',
  'expiry_date',
] as const satisfies readonly (keyof Extracted)[]
/** The place of the machine-readable zone. */
const ZONE = 'zone'

/** What was read from the document. Choosing a field shows where it stands. */
export function Fields(props: {
  id: string
  isShown: boolean
  places: readonly Place[]
  chosen: string | null
  onChoose: (what: string) => void
}) {
  const { id, isShown } = props
  const read = useQuery({
    queryKey: ['extracted', id],
    queryFn: ({ signal }) => vaani.identity.retrieve(id, { include_media: 'extracted' }, { signal }),
    enabled: isShown,
    gcTime: 0,
    staleTime: Infinity,
  })
  return (
    <section aria-label={t.reviews.fields}>
      <h2>{t.reviews.fields}</h2>
      {!isShown && <p className="hint">{t.reviews.hidden}</p>}
      {isShown && read.isPending && <Loading />}
      {isShown && read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {isShown && read.data && <FieldList {...props} extracted={read.data.extracted ?? null} />}
    </section>
  )
}

function FieldList(props: Parameters<typeof Fields>[0] & { extracted: Extracted | null }) {
  const { extracted, places, chosen, onChoose } = props
  const rows = [
    ...FIELDS.map((field) => [field, extracted?.[field] ?? null] as const),
    [ZONE, extracted?.mrz?.lines.join('\n') ?? null] as const,
  ].filter(([, value]) => value !== null)
  if (rows.length === 0) return <p className="hint">{t.reviews.nothingRead}</p>
  return (
    <ul className="read">
      {rows.map(([field, value]) => (
        <li key={field}>
          {places.some(({ what }) => what === field) ? (
            <button type="button" aria-pressed={chosen === field} onClick={() => onChoose(field)}>
              <Field name={field} value={value} />
            </button>
          ) : (
            <Field name={field} value={value} />
          )}
        </li>
      ))}
    </ul>
  )
}

const Field = ({ name, value }: { name: (typeof FIELDS)[number] | typeof ZONE; value: string | null }) => (
  <>
    <span className="name">{t.reviews.fieldNames[name]}</span>
    <span className={name === ZONE ? 'value zone' : 'value'}>{value}</span>
  </>
)
