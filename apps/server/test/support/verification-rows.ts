import type { Insertable } from 'kysely'
import type { VerificationTable } from '../../src/features/identity/tables.ts'

/** Builds the row of a pending live-mode verification without media. */
export const pendingRow = (
  row: Pick<Insertable<VerificationTable>, 'verification_id' | 'account_id'> &
    Partial<Insertable<VerificationTable>>,
): Insertable<VerificationTable> => ({
  version: 2,
  status: 'pending',
  livemode: true,
  external_id: null,
  callback_url: null,
  store_media: true,
  data_key: null,
  artifacts: '[]',
  checks: '[]',
  reasons: '[]',
  policy: 'default',
  extracted: null,
  worker_id: null,
  lease_expires_at: null,
  created_at: new Date(),
  decided_at: null,
  media_erased_at: null,
  reviewed_by: null,
  review_note: null,
  ...row,
})
