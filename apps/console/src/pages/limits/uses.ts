import type { LimitUse } from '@vaani/client'

type RateUse = LimitUse['rates'][number]
type CapUse = LimitUse['caps'][number]

/** One limit, and what is used of it; null if that is counted for each object by itself. */
export type Use = { limit: number; used: number | null } & (
  | { kind: 'rates'; name: RateUse['name']; rate: RateUse }
  | { kind: 'concurrency'; name: LimitUse['concurrency'][number]['name'] }
  | { kind: 'counts'; name: LimitUse['counts'][number]['name'] }
  | { kind: 'caps'; name: CapUse['name']; cap: CapUse }
)

/** Returns what is used as a share of 1. */
export const shareOf = ({ used, limit }: Use): number => (used ?? 0) / limit

/** Lists all limits, the nearest to its bound first; those that are equally near in the order of the answer. */
export function usesOf({ rates, concurrency, counts, caps }: LimitUse): Use[] {
  const uses: Use[] = [
    ...rates.map((rate) => {
      const { name, limit, remaining } = rate
      return {
        kind: 'rates' as const,
        name,
        limit,
        used: remaining === null ? null : limit - remaining,
        rate,
      }
    }),
    ...concurrency.map(({ name, limit, used }) => ({ kind: 'concurrency' as const, name, limit, used })),
    ...counts.map(({ name, limit, used }) => ({ kind: 'counts' as const, name, limit, used })),
    ...caps.map((cap) => ({ kind: 'caps' as const, name: cap.name, limit: cap.limit, used: cap.used, cap })),
  ]
  return uses.toSorted((one, other) => shareOf(other) - shareOf(one))
}

/** Returns when to read again: when a rate that is used up admits more, or after a while. */
export function rereadMsOf({ rates }: LimitUse, whileMs: number): number {
  const seconds = rates
    .filter(({ remaining }) => remaining === 0)
    .map(({ reset_seconds }) => reset_seconds ?? 0)
  return Math.min(whileMs, ...seconds.map((one) => Math.max(1, one) * 1000))
}
