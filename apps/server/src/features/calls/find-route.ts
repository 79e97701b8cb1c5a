import type { CarriersFile } from './carriers/carriers-file.ts'
import type { Barred, NumberBar } from './number-bar.ts'
import { chooseCarrier, isSimulator, type RoutedCall } from './rules/choose-carrier.ts'

export type { RoutedCall } from './rules/choose-carrier.ts'

export interface FoundRoute {
  /** Name of the carrier. */
  carrier: string
  /** Why no phone line may dial the number now; null if one may. */
  barred: Barred | null
  /** Whether no phone rings. */
  isSimulator: boolean
  /** Whether no call of the mode rings a phone, whatever its number and account. */
  isModeSimulated: boolean
}

/** Returns how a call would be carried; undefined if no carrier rings such numbers. */
export function findRoute(
  { routes, numberBar }: Pick<CarriersFile, 'routes'> & { numberBar: NumberBar },
  call: RoutedCall,
  nowMs: number,
): FoundRoute | undefined {
  const carrier = chooseCarrier(routes, call)
  if (carrier === undefined) return undefined
  return {
    carrier,
    barred: numberBar.find({ ...call, carrier }, 'placement', nowMs),
    isSimulator: isSimulator(carrier),
    isModeSimulated: routes[call.livemode ? 'live' : 'test'].every((route) => isSimulator(route.carrier)),
  }
}
