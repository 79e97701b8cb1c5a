import { ApiError } from '@vaani/client'
import { t } from '../text/text.ts'

/** Says why something could not be loaded, with the id of the request, and lets the person try again. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const isForbidden = error instanceof ApiError && error.status === 403
  return (
    <div role="alert" className={isForbidden ? 'notice' : 'problem'}>
      <p>
        <strong>{isForbidden ? t.common.forbidden : t.common.problem}</strong>
      </p>
      <p>{error.message}</p>
      {onRetry && !isForbidden && (
        <button type="button" onClick={onRetry}>
          {t.common.retry}
        </button>
      )}
    </div>
  )
}
