import type { SentVerification } from '@vaani/contracts'
import { toPage } from '@vaani/service-kit/http/page'
import type { VerificationRow } from './tables.ts'
import { toVerification } from './view.ts'

export const toVerificationPage = (rows: readonly VerificationRow[], limit: number) =>
  toPage<VerificationRow, SentVerification>({
    rows,
    limit,
    id: (row) => row.verification_id,
    view: (row) => toVerification(row),
  })
