import type { Logger } from './log.ts'

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
  names: readonly Name[],
): CountedEvents<Name> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  return {
    record(event, fields = {}) {
      counts[event]++
      log.info({ event, ...fields }, event)
    },
    counts: () => ({ ...counts }),
  }
}
