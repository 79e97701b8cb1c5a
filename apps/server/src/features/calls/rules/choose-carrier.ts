import type { CallingHours } from './calling-hours.ts'

/** Which carrier rings which calls of a mode. */
export interface CarrierRoute {
  readonly carrier: string
  /** Beginnings of numbers in E.164; absent for all. */
  readonly prefixes?: readonly string[] | undefined
  /** Ids of accounts; absent for all. */
  readonly accounts?: readonly string[] | undefined
  /** In millionths of the currency of the caps. */
  readonly pricePerMinuteMicros?: number | undefined
  /** When its numbers may be called; absent for those of all routes. */
  readonly hours?: CallingHours | undefined
  /** IANA time zone of its numbers; absent if they tell it. */
  readonly timeZone?: string | undefined
}

export interface CarrierRoutes {
  readonly test: readonly CarrierRoute[]
  readonly live: readonly CarrierRoute[]
  /** When numbers may be called whose route says nothing else. */
  readonly hours?: CallingHours | undefined
}

export interface RoutedCall {
  livemode: boolean
  accountId: string
  to: string
}

/** No phone rings at a carrier of this name, and none of another name is a simulator. */
export const isSimulator = (carrier: string): boolean => /^simulator(-|$)/.test(carrier)

/** Returns the name of the carrier of the first route that fits the call; undefined if none does. */
export const chooseCarrier = (routes: CarrierRoutes, call: RoutedCall): string | undefined =>
  fittingRoutes(routes, call)[0]?.carrier

/**
 * Returns the carriers to try before the first ring: that of the call, then those of later routes that fit it. Leaves out those whose
 * trunk is down, unless all are. A simulator stands in for no phone line, and neither does a line whose channels are counted.
 */
export function carriersToTry(
  routes: CarrierRoutes,
  call: RoutedCall & { carrier: string },
  describe: (carrier: string) => { isDown: boolean; isCounted: boolean },
): readonly [string, ...string[]] {
  const { carrier } = call
  const fitting = [...new Set(fittingRoutes(routes, call).map((route) => route.carrier))]
  const later =
    fitting.includes(carrier) && !isSimulator(carrier) ? fitting.slice(fitting.indexOf(carrier) + 1) : []
  const standIns = later.filter((name) => !isSimulator(name) && !describe(name).isCounted)
  const [first = carrier, ...others] = [carrier, ...standIns].filter((name) => !describe(name).isDown)
  return [first, ...others]
}

/** Returns what the minute of a call costs at its carrier, in millionths of the currency; 0 if its route has no price. */
export const priceOf = (routes: CarrierRoutes, call: RoutedCall & { carrier: string }): number =>
  fittingRoutes(routes, call).find(({ carrier }) => carrier === call.carrier)?.pricePerMinuteMicros ?? 0

/** Returns the routes that fit the call, in their order. */
export const fittingRoutes = (routes: CarrierRoutes, call: RoutedCall): readonly CarrierRoute[] =>
  routes[call.livemode ? 'live' : 'test'].filter(
    ({ prefixes, accounts }) =>
      (prefixes === undefined || prefixes.some((prefix) => call.to.startsWith(prefix))) &&
      (accounts === undefined || accounts.includes(call.accountId)),
  )
