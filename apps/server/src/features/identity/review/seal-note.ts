import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { sealText } from '@vaani/service-kit/vault/sealed-bytes'
import type { IdentityContext } from '../context.ts'
import type { VerificationRow } from '../tables.ts'
import { notePlace } from './view.ts'

/**
 * Encrypts a note under the verification's data key, so that it is erased with the media.
 *
 * @throws ApiError `state_conflict` if the key is erased
 */
export function sealNote(
  { vault }: Pick<IdentityContext, 'vault'>,
  { row, entryId, text }: { row: VerificationRow; entryId: string; text: string },
): Buffer {
  if (row.data_key === null)
    throw new ApiError('state_conflict', 'The data of the verification is erased, so it takes no notes')
  const key = openDataKey(vault, row.verification_id, row.data_key)
  return sealText(text, notePlace(row, entryId, key))
}
