import type { CarriersFile } from './carriers/carriers-file.ts'
import { chooseCarrier, isSimulator, type RoutedCall } from './rules/choose-carrier.ts'

export type { RoutedCall } from './rules/choose-carrier.ts'

export interface FoundRoute {
  /** Name of the carrier. */
  carrier: string
  /** Whether no phone rings. */
  isSimulator: boolean
  /** Whether no call of the mode rings a phone, whatever its number and account. */
  isModeSimulated: boolean
}

/** Returns how a call would be carried; undefined if no carrier rings such numbers. */
export function findRoute(
  { routes }: Pick<CarriersFile, 'routes'>,
  call: RoutedCall,
): FoundRoute | undefined {
  const carrier = chooseCarrier(routes, call)
  if (carrier === undefined) return undefined
  return {
    carrier,
    isSimulator: isSimulator(carrier),
    isModeSimulated: routes[call.livemode ? 'live' : 'test'].every((route) => isSimulator(route.carrier)),
  }
}
