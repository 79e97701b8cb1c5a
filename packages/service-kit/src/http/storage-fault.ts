import { BlobError } from '../blobs/blob-store.ts'
import { ApiError } from './api-error.ts'

const FULL = { retryAfterSeconds: 30, message: 'The service has no room to keep this now' }
const TOO_MANY_FILES = { retryAfterSeconds: 5, message: 'The service has too much open to take this now' }

/** Codes of the system, and of Postgres, for storage that is full or busy and may serve later. */
const FAULTS: Readonly<Record<string, { retryAfterSeconds: number; message: string }>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: FULL,
  // disk_full
  '53100': FULL,
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
}
/** Errors wrap each other a few times, unless they go round in a circle. */
const MAX_DEPTH = 8
const STORE_AWAY = { retryAfterSeconds: 5, message: 'The store of the service cannot be reached now' }

/** Storage that fails for now as the 503 that it is; undefined for any other error. Causes are looked at as well. */
export function storageFault(error: unknown): ApiError | undefined {
  let cause = error
  for (let depth = 0; depth < MAX_DEPTH && cause instanceof Error; depth++, cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    const isStoreAway = cause instanceof BlobError && cause.code === 'unavailable'
    const fault = isStoreAway ? STORE_AWAY : FAULTS[code]
    if (fault) {
      const { message, retryAfterSeconds } = fault
      return new ApiError('service_unavailable', message, { retryAfterSeconds, cause: error })
    }
  }
  return undefined
}
