import type { ReactNode } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import type { Looking } from './use-view.ts'

/** What is shown in place of a picture until it is there, and over one that is hidden. */
export function Pane(props: {
  looking: Looking
  error: Error | null
  onRetry: () => void
  children: ReactNode
}) {
  const { looking, error, onRetry, children } = props
  if (error) return <Problem error={error} onRetry={onRetry} />
  return (
    <div className="sheet">
      {children || (looking.isShown && <Loading />)}
      {!looking.isShown && (
        <button type="button" className="veil" onClick={looking.onToggle}>
          <span>{t.reviews.veiled}</span>
        </button>
      )}
    </div>
  )
}
