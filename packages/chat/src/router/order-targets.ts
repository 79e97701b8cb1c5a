/** A model of a provider that answers for a name. */
export interface ChatTarget {
  /** Name of the provider. */
  provider: string
  /** The provider's name of the model. Default: the name that the target answers for. */
  model?: string | undefined
  /** Share of the requests. Zero: only if those with a weight fail. Default 1. */
  weight?: number | undefined
}

/**
 * Orders targets at random, each place by the weights of those left: the first one takes its share of the requests, and the
 * others are tried after it. Those without weight come last, in their own order.
 */
export function orderTargets<Target extends { readonly weight: number }>(
  targets: readonly Target[],
  random: () => number,
): Target[] {
  const [only] = targets
  if (only !== undefined && targets.length === 1) return [only]
  // The largest keys come out as if drawn by weight without putting back (Efraimidis and Spirakis 2006).
  const keyed = targets.map((target) => ({
    target,
    key: target.weight === 0 ? -1 : (1 - random()) ** (1 / target.weight),
  }))
  return keyed.toSorted((one, other) => other.key - one.key).map(({ target }) => target)
}
