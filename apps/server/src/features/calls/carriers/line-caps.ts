import { z } from 'zod'
import { moneySchema } from '../rules/money.ts'

const capSchema = z.strictObject({
  /** Minutes that begin. */
  minutes_per_day: z.number().int().min(1).max(1_000_000).nullable().optional(),
  spend_per_day: moneySchema.nullable().optional(),
  attempts_per_number_per_day: z.number().int().min(1).max(1000).nullable().optional(),
})
type CapEntry = z.output<typeof capSchema>

/** Caps of all accounts, and those of single accounts instead; `null` lifts one. */
export const capsSchema = z.strictObject({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be a code of ISO 4217, such as EUR' })
    .optional(),
  default: capSchema.default({}),
  accounts: z.record(z.string().min(1), capSchema).default({}),
})
export type CapsEntry = z.output<typeof capsSchema>

/** What an account may use of phone lines in a UTC day; null for no cap. */
export interface AccountCaps {
  readonly minutes: number | null
  /** In millionths of the currency. */
  readonly spendMicros: number | null
  readonly attemptsPerNumber: number | null
}

/** Returns the caps of an account: its own, and of those that it does not name, the default ones. */
export function capsOf(entry: CapsEntry, accountId: string): AccountCaps {
  const own = Object.hasOwn(entry.accounts, accountId) ? (entry.accounts[accountId] ?? {}) : {}
  const pick = (name: keyof CapEntry): number | null => {
    const value = own[name]
    return (value === undefined ? entry.default[name] : value) ?? null
  }
  return {
    minutes: pick('minutes_per_day'),
    spendMicros: pick('spend_per_day'),
    attemptsPerNumber: pick('attempts_per_number_per_day'),
  }
}

/** Whether money is limited for any account. */
export const limitsSpend = (entry: CapsEntry): boolean =>
  [entry.default, ...Object.values(entry.accounts)].some(({ spend_per_day: spend }) => spend != null)
