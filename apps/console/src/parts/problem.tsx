import { ApiError } from '@vaani/client'
import { language, t } from '../text/text.ts'
import { meaningOf } from './meaning-of.ts'

/** Says why something could not be loaded, with the id of the request, and lets the person try again. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const isForbidden = error instanceof ApiError && error.status === 403
  // What the server says is in English.
  const meaning = language !== 'en' && error instanceof ApiError ? meaningOf(error.code) : null
  return (
    <div role="alert" className={isForbidden ? 'notice' : 'problem'}>
      <p>
        <strong>{isForbidden ? t.common.forbidden : t.common.problem}</strong>
      </p>
      {meaning && (
        <p>
          {meaning.cause} {meaning.cure}
        </p>
      )}
      <p lang="en">{error.message}</p>
      {onRetry && !isForbidden && (
        <button type="button" onClick={onRetry}>
          {t.common.retry}
        </button>
      )}
    </div>
  )
}
