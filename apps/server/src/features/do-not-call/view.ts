import type { ListedNumber } from '@vaani/contracts'
import type { ListedNumberRow } from './store.ts'

export const toListedNumber = ({ account_id: _, created_at, ...row }: ListedNumberRow): ListedNumber => ({
  ...row,
  created_at: created_at.toISOString(),
})
