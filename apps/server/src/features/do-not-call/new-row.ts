import type { ListedNumberSource } from '@vaani/contracts'
import type { DoNotCallContext } from './context.ts'
import type { ListedNumberRow, Owner } from './store.ts'

export interface NewNumber {
  phoneNumber: string
  reason: string | null
  source: ListedNumberSource
}

export const toNewRow = (
  { clock, makeId }: Pick<DoNotCallContext, 'clock' | 'makeId'>,
  owner: Owner,
  { phoneNumber, reason, source }: NewNumber,
): ListedNumberRow => ({
  listed_number_id: makeId('listed_number'),
  account_id: owner === 'server' ? null : owner.accountId,
  livemode: owner === 'server' ? null : owner.livemode,
  phone_number: phoneNumber,
  reason,
  source,
  created_at: new Date(clock.nowMs()),
})
