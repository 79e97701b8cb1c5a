import type { Logger } from './log.ts'
import type { Meter } from './meter.ts'

/** Records what happens in the business. A part of a service takes one that knows the names which it declares. */
export interface Events<Name extends string> {
  record: (event: Name, fields?: Readonly<Record<string, string | number>>) => void
}

/** The events of a whole service: each is logged and counted here and nowhere else. */
export interface CountedEvents<Name extends string> extends Events<Name> {
  counts: () => Readonly<Record<Name, number>>
}

/** @param names all that may be recorded; each counts from zero on */
export function createEvents<const Name extends string>(
  log: Logger,
  meter: Meter,
  names: readonly Name[],
): CountedEvents<Name> {
  const counter = meter.counter({
    name: 'vaani_events_total',
    help: 'What happened in the business, as the log names it',
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
