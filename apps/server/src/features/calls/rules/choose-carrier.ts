/** Which carrier rings which calls of a mode. */
export interface CarrierRoute {
  readonly carrier: string
  /** Beginnings of numbers in E.164; absent for all. */
  readonly prefixes?: readonly string[] | undefined
  /** Ids of accounts; absent for all. */
  readonly accounts?: readonly string[] | undefined
}

export interface CarrierRoutes {
  readonly test: readonly CarrierRoute[]
  readonly live: readonly CarrierRoute[]
}

/** Returns the name of the carrier of the first route that fits the call; undefined if none does. */
export function chooseCarrier(
  routes: CarrierRoutes,
  call: { livemode: boolean; accountId: string; to: string },
): string | undefined {
  const fits = ({ prefixes, accounts }: CarrierRoute): boolean =>
    (prefixes === undefined || prefixes.some((prefix) => call.to.startsWith(prefix))) &&
    (accounts === undefined || accounts.includes(call.accountId))
  return routes[call.livemode ? 'live' : 'test'].find(fits)?.carrier
}
