import type { Logger } from './log.ts'
import type { Meter } from './meter.ts'

/** Records business events. Each part of a service gets one that accepts the names that it declares. */
export interface Events<Name extends string> {
  record: (event: Name, fields?: Readonly<Record<string, string | number>>) => void
}

/** The business events of a whole service. Each is logged and counted here and nowhere else. */
export interface CountedEvents<Name extends string> extends Events<Name> {
  counts: () => Readonly<Record<Name, number>>
}

/** @param names all events that may be recorded; their counts start at zero */
export function createEvents<const Name extends string>(
  log: Logger,
  meter: Meter,
  names: readonly Name[],
): CountedEvents<Name> {
  const counter = meter.counter({
    name: 'vaani_events_total',
    help: 'Business events, by their name in the log',
    labels: { event: names },
  })
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  return {
    record(event, fields = {}) {
      counts[event]++
      counter.add({ event })
      log.info({ event, ...fields }, event)
    },
    counts: () => ({ ...counts }),
  }
}
