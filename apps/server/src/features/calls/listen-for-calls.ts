import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Carriers } from './carriers/carriers.ts'
import type { CarriersFile } from './carriers/carriers-file.ts'
import { findNumber } from './rules/find-number.ts'
import type { CallDispatcher } from './dispatcher.ts'

/** Lets the carriers that have numbers take calls. */
export function listenForCalls(options: {
  numbers: CarriersFile['numbers']
  carriers: Pick<Carriers, 'find'>
  receive: CallDispatcher['receive']
  log: Logger
}): void {
  const { numbers, carriers, receive, log } = options
  for (const name of new Set(numbers.map(({ carrier }) => carrier))) {
    const own = numbers.filter(({ carrier }) => carrier === name)
    const carrier = carriers.find(name)
    if (carrier?.onIncoming) carrier.onIncoming((call) => receive(findNumber(own, call.to), call, name))
    else log.error({ carrier: name }, 'A carrier takes no calls, though it has numbers')
  }
}
