import type { RecordingReason } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { TranslateError } from '@vaani/service-kit/http/refusals/handle-errors'
import { type RecordingProblem, RecordingsError } from '@vaani/speech/cloning'

const toDetail = ({ recording, reason, message }: RecordingProblem) => {
  const param = recording === null ? 'samples' : `samples.${recording}`
  return { param, message: `${param}: ${message}`, reason: reason satisfies RecordingReason | 'aborted' }
}

/** Names every recording that cannot be used, with its reason. */
export const translateRecordingsError: TranslateError = (error) => {
  if (!(error instanceof RecordingsError)) return null
  const details = error.problems.map(toDetail)
  const [first] = details
  return new ApiError('media_unreadable', first?.message ?? 'samples: cannot be used', {
    param: first?.param ?? 'samples',
    details,
    cause: error,
  })
}
