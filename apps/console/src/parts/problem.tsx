import { ApiError } from '@vaani/client'
import { t } from '../text/text.ts'
import { Explanation } from './explanation.tsx'

/** Says why something could not be loaded, with the id of the request, and lets the person try again. */
export function Problem(props: {
  error: Error
  /** Says what it means here, if the words of its code are too general. */
  words?: string | undefined
  onRetry?: () => void
}) {
  const { error, words, onRetry } = props
  const isForbidden = error instanceof ApiError && error.status === 403
  return (
    <div role="alert" className={isForbidden ? 'notice' : 'problem'}>
      <p>
        <strong>{isForbidden ? t.common.forbidden : t.common.problem}</strong>
      </p>
      <Explanation of={error} words={words} />
      {onRetry && !isForbidden && (
        <button type="button" onClick={onRetry}>
          {t.common.retry}
        </button>
      )}
    </div>
  )
}
