import { Counter as PromCounter, Gauge as PromGauge, Histogram as PromHistogram, Registry } from 'prom-client'

/** The values that each label may have: all of them are known before anything is counted. */
export type Labels = Readonly<Record<string, readonly string[]>>

export type NoLabels = Readonly<Record<never, readonly string[]>>

type ValuesOf<Closed extends Labels> = { readonly [Name in keyof Closed]: Closed[Name][number] }

interface Description<Closed extends Labels> {
  /** In the base unit, as Prometheus names metrics: `vaani_…_seconds`, `…_total`. */
  name: string
  help: string
  labels?: Closed
}

export interface Counter<Closed extends Labels = NoLabels> {
  add(labels: ValuesOf<Closed>, by?: number): void
}

export interface Gauge<Closed extends Labels = NoLabels> {
  /**
   * Reads the value at each scrape. While the reading fails, or gives null, the series is absent: an old value would look
   * like a current one.
   */
  follow(labels: ValuesOf<Closed>, read: () => number | null | Promise<number | null>): void
}

export interface Histogram<Closed extends Labels = NoLabels> {
  observe(labels: ValuesOf<Closed>, value: number): void
}

/**
 * Makes the instruments of a process. Each label has a closed list of values, and a value outside it counts as `other`, so
 * nothing that a caller sends can become a label or add a series.
 */
export interface Meter {
  counter<const Closed extends Labels = NoLabels>(description: Description<Closed>): Counter<Closed>
  gauge<const Closed extends Labels = NoLabels>(description: Description<Closed>): Gauge<Closed>
  histogram<const Closed extends Labels = NoLabels>(
    description: Description<Closed> & { buckets: readonly number[] },
  ): Histogram<Closed>
}

export const OTHER = 'other'

/** Counters with more series than this begin each with its first count, instead of at zero. */
const MAX_ZEROED = 200

export function createMeter(registry: Registry = new Registry()): Meter & { registry: Registry } {
  const failedReads = new PromCounter({
    name: 'vaani_metrics_failed_reads_total',
    help: 'Values that could not be read at a scrape; their series are absent from it',
    registers: [registry],
  })

  return {
    registry,
    counter({ name, help, labels }) {
      const close = closerOf(labels)
      const counter = new PromCounter({ name, help, labelNames: namesOf(labels), registers: [registry] })
      const all = combine(labels)
      if (all.length <= MAX_ZEROED) for (const one of all) counter.inc(one, 0)
      return { add: (values, by = 1) => counter.inc(close(values), by) }
    },
    gauge({ name, help, labels }) {
      const close = closerOf(labels)
      const reads: (() => Promise<void>)[] = []
      const gauge = new PromGauge({
        name,
        help,
        labelNames: namesOf(labels),
        registers: [registry],
        async collect() {
          await Promise.all(reads.map((read) => read()))
        },
      })
      // The library begins one without labels at zero, as if that had been read.
      gauge.remove({})
      return {
        follow(values, read) {
          const closed = close(values)
          reads.push(async () => {
            let value: number | null = null
            try {
              value = await read()
            } catch {
              failedReads.inc()
            }
            if (value === null) gauge.remove(closed)
            else gauge.set(closed, value)
          })
        },
      }
    },
    histogram({ name, help, labels, buckets }) {
      const close = closerOf(labels)
      const histogram = new PromHistogram({
        name,
        help,
        labelNames: namesOf(labels),
        buckets: [...buckets],
        registers: [registry],
      })
      return { observe: (values, value) => histogram.observe(close(values), value) }
    },
  }
}

const namesOf = (labels: Labels = {}): string[] => Object.keys(labels)

/** Makes of given values those that may be shown. */
function closerOf(labels: Labels = {}): (values: Readonly<Record<string, string>>) => Record<string, string> {
  const allowed = Object.entries(labels).map(([name, values]) => [name, new Set(values)] as const)
  return (values) => {
    const closed: Record<string, string> = {}
    for (const [name, known] of allowed) {
      const value = values[name]
      closed[name] = value !== undefined && known.has(value) ? value : OTHER
    }
    return closed
  }
}

/** Every combination of values. */
const combine = (labels: Labels = {}): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (combined, [name, values]) =>
      combined.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
