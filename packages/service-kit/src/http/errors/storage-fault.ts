import { BlobError } from '../../blobs/blob-store.ts'
import { ApiError } from './api-error.ts'

const FULL = { retryAfterSeconds: 30, message: 'The service is out of storage space' }
const TOO_MANY_FILES = { retryAfterSeconds: 5, message: 'The service has too many open files' }

/** Error codes, of the system and of Postgres, for storage that is temporarily full or busy. */
const FAULTS: Readonly<Record<string, { retryAfterSeconds: number; message: string }>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: FULL,
  // disk_full
  '53100': FULL,
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
}
/** Limit on the chain of causes, which could be circular. */
const MAX_DEPTH = 8
const STORE_AWAY = { retryAfterSeconds: 5, message: 'The storage of the service cannot be reached' }

/** Returns a 503 for a temporary storage failure, also among the causes of the error; undefined for any other error. */
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
