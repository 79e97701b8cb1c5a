import type { ReviewRequest } from '@vaani/client'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'

export type Reason = NonNullable<ReviewRequest['reasons']>[number]

/** What somebody has begun to write about a case. */
export interface Draft {
  /** The decision that waits to be confirmed. */
  readonly decision: ReviewRequest['decision'] | null
  readonly reasons: readonly Reason[]
  /** The note of the decision. */
  readonly note: string
  /** A note for other reviewers. */
  readonly remark: string
}

const EMPTY: Draft = { decision: null, reasons: [], note: '', remark: '' }
const DRAFTS = 'draft'

/**
 * Keeps what was begun beside what was read, in the memory of the page: there it survives the end of a session and another
 * page, and is forgotten with all else when its owner signs out.
 */
export function useDraft(id: string): [draft: Draft, change: (part: Partial<Draft>) => void] {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Draft>(() => queries.getQueryData([DRAFTS, id]) ?? EMPTY)
  useEffect(() => {
    queries.setQueryDefaults([DRAFTS], { gcTime: Infinity })
    queries.setQueryData([DRAFTS, id], draft)
  }, [queries, id, draft])
  const change = useCallback((part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part })), [])
  return [draft, change]
}
