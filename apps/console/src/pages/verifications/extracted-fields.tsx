import type { Extracted } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { nameIn } from '../../parts/name-in.ts'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** What was read from the document. It is asked for only when somebody wants to see it, and forgotten when they do not. */
export function ExtractedFields({ id }: { id: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <h2>{t.verifications.extracted}</h2>
      <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? t.verifications.hide : t.verifications.show}
      </button>
      {isShown && <Fields id={id} />}
    </>
  )
}

function Fields({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ['extracted-fields', id],
    queryFn: async ({ signal }) => {
      const { extracted } = await vaani.identity.retrieve(id, { include_media: 'extracted' }, { signal })
      return extracted ?? null
    },
    gcTime: 0,
  })
  if (read.isPending) return <Loading />
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (read.data === null) return <p className="hint">{t.verifications.nothingExtracted}</p>
  return <Facts of={factsOf(read.data)} />
}

const factsOf = ({ mrz, ...fields }: Extracted) => [
  ...Object.entries(fields).map(
    ([name, value]) => [nameIn(t.reviews.fieldNames, name) ?? name, value] as const,
  ),
  [t.reviews.fieldNames.zone, mrz && <code key="mrz">{mrz.lines.join('\n')}</code>] as const,
]
