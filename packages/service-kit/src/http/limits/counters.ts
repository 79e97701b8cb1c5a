import type { AccountLimitName, ConcurrencyLimitName } from '@vaani/contracts'
import type { Principal } from '../principal.ts'

/** By the name of a limit, counts what the caller's account has of what it limits, at least up to the limit. */
export type Counters = Readonly<
  Partial<Record<AccountLimitName | ConcurrencyLimitName, (principal: Principal) => Promise<number>>>
>
