import { type Bar, type BarredAt, barOf } from './rules/barred-numbers.ts'
import { type CarrierRoutes, fittingRoutes, isSimulator, type RoutedCall } from './rules/choose-carrier.ts'

/** Keeps phone lines from numbers that they must never dial. Simulators ring nobody, so that nothing is barred there. */
export interface NumberBar {
  /** Returns why the carrier must not dial the number of a call, and counts it; null if it may. */
  find(call: RoutedCall & { carrier: string }, at: BarredAt): Bar | null
}

export function createNumberBar(
  routes: CarrierRoutes,
  { barred }: { barred: { add(labels: { state: BarredAt; reason: Bar }): void } },
): NumberBar {
  return {
    find(call, at) {
      if (isSimulator(call.carrier)) return null
      // At the dial, routes can have changed since the call was placed.
      const fitting = fittingRoutes(routes, call).filter(({ carrier }) => carrier === call.carrier)
      const prefixes = fitting.flatMap((route) => route.prefixes ?? [])
      const bar = fitting.length === 0 ? 'no_route' : barOf(call.to, prefixes)
      if (bar !== null) barred.add({ state: at, reason: bar })
      return bar
    },
  }
}
