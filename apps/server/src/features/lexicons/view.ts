import type { LexiconResource } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { LexiconRow } from './store.ts'

export const toLexicon = ({
  language,
  livemode,
  entries,
  version,
  updated_at,
}: LexiconRow): LexiconResource => ({
  language,
  livemode,
  entries,
  version,
  updated_at: updated_at.toISOString(),
})

export const notFound = (): ApiError =>
  new ApiError('not_found', 'There is no lexicon of this language in this account')
