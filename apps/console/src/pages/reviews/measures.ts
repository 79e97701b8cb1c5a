import type { CheckResult } from '@vaani/client'

type Value = CheckResult['evidence'][string]

/** What a check measured, beside the limit that it was compared with, if there is one. */
export interface Measure {
  readonly name: string
  readonly value: Value
  readonly limit: { readonly kind: 'min' | 'max'; readonly value: number } | null
  readonly isMissed: boolean
}

const LIMIT = /^(.+)_(min|max)$/

/** Pairs each value with the limit of its name: `sharpness` with `sharpness_min`. What missed its limit comes first. */
export function measuresOf(evidence: CheckResult['evidence']): Measure[] {
  const limits = new Map<string, NonNullable<Measure['limit']>>()
  for (const [name, value] of Object.entries(evidence)) {
    const [, base = '', kind] = LIMIT.exec(name) ?? []
    if (typeof value === 'number' && typeof evidence[base] === 'number' && (kind === 'min' || kind === 'max'))
      limits.set(base, { kind, value })
  }
  return Object.entries(evidence)
    .filter(([name]) => !limits.has(LIMIT.exec(name)?.[1] ?? ''))
    .map(([name, value]) => {
      const limit = limits.get(name) ?? null
      return { name, value, limit, isMissed: isMissed(value, limit) }
    })
    .toSorted((one, other) => Number(other.isMissed) - Number(one.isMissed))
}

function isMissed(value: Value, limit: Measure['limit']): boolean {
  if (limit === null || typeof value !== 'number') return false
  return limit.kind === 'min' ? value < limit.value : value > limit.value
}
