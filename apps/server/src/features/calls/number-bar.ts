import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { CallFailureReason } from '@vaani/contracts'
import { DEFAULT_HOURS } from './carriers/line-hours.ts'
import { type Bar, type BarredAt, barOf } from './rules/barred-numbers.ts'
import { isCallable, nextCallable } from './rules/calling-hours.ts'
import {
  type CarrierRoute,
  type CarrierRoutes,
  fittingRoutes,
  isSimulator,
  type RoutedCall,
} from './rules/choose-carrier.ts'
import { zonesOf } from './rules/number-zones.ts'

/** Why no phone line may dial a number at a time. */
export interface Barred {
  readonly reason: Bar
  /** Of `outside_hours`: when it may; undefined if at no time within a week. */
  readonly nextMs?: number | undefined
}

/**
 * Keeps phone lines from numbers that they must never dial, and from all at hours at which people are not to be called. Simulators ring
 * nobody, so that nothing is barred there.
 */
export interface NumberBar {
  /** Returns why the carrier must not dial the number of a call at a time, and counts it; null if it may. */
  find(call: RoutedCall & { carrier: string }, at: BarredAt, dueMs: number): Barred | null
}

export function createNumberBar(
  routes: CarrierRoutes,
  { barred }: { barred: { add(labels: { state: BarredAt; reason: Bar }): void } },
): NumberBar {
  return {
    find(call, at, dueMs) {
      if (isSimulator(call.carrier)) return null
      // At the dial, routes can have changed since the call was placed.
      const fitting = fittingRoutes(routes, call).filter(({ carrier }) => carrier === call.carrier)
      const [route] = fitting
      const prefixes = fitting.flatMap((one) => one.prefixes ?? [])
      const reason = route === undefined ? 'no_route' : barOf(call.to, prefixes)
      const bar = reason === null ? route && findHours(routes, route, call.to, dueMs) : { reason }
      if (bar) barred.add({ state: at, reason: bar.reason })
      return bar ?? null
    },
  }
}

function findHours(routes: CarrierRoutes, route: CarrierRoute, to: string, dueMs: number): Barred | null {
  const hours = route.hours ?? routes.hours ?? DEFAULT_HOURS
  if (hours === 'any') return null
  const zones = route.timeZone === undefined ? zonesOf(to) : [route.timeZone]
  if (zones.length === 0) return { reason: 'unknown_time_zone' }
  if (isCallable(hours, zones, dueMs)) return null
  return { reason: 'outside_hours', nextMs: nextCallable(hours, zones, dueMs) }
}

/** Says why a call is refused, and when it would not be. @param names of the members of the request with the number and, if any, the time */
export function describeBarred(
  { reason, nextMs }: Barred,
  names: { number: string; time?: string },
): ApiError {
  const { number, time = number } = names
  switch (reason) {
    case 'outside_hours': {
      const next = nextMs === undefined ? 'at no time' : `from ${new Date(nextMs).toISOString()} on`
      return new ApiError(
        'outside_calling_hours',
        `${time}: it is not one of the hours at which the number may be called; ${next} it is`,
        { param: time },
      )
    }
    case 'unknown_time_zone':
      return new ApiError(
        'outside_calling_hours',
        `${number}: is in a time zone that is not known; the operator can name it in the route`,
        { param: number },
      )
    case 'no_route':
    case 'emergency':
    case 'short_code':
    case 'premium_rate':
    case 'shared_cost':
    case 'pager':
    case 'personal_number':
    case 'global_network':
      return new ApiError('number_barred', `${number}: is never dialled over a phone line (${reason})`, {
        param: number,
      })
  }
}

/** The same at the dial. */
export const failureOf = ({ reason }: Barred): CallFailureReason =>
  reason === 'outside_hours' || reason === 'unknown_time_zone' ? 'outside-hours' : 'number-barred'
