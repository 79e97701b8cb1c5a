import {
  type HistogramConfiguration,
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Registry,
} from 'prom-client'

/** The values that each label may have. All are known before anything is counted. */
export type Labels = Readonly<Record<string, readonly string[]>>

export type NoLabels = Readonly<Record<never, readonly string[]>>

type ValuesOf<Closed extends Labels> = { readonly [Name in keyof Closed]: Closed[Name][number] }

interface Description<Closed extends Labels> {
  /** Named by Prometheus conventions, with the base unit: `vaani_…_seconds`, `…_total`. */
  name: string
  help: string
  labels?: Closed
}

export interface Counter<Closed extends Labels = NoLabels> {
  add(labels: ValuesOf<Closed>, by?: number): void
}

export interface Gauge<Closed extends Labels = NoLabels> {
  /**
   * Reads the value at each scrape. If the read fails or returns null, the series is absent, because an old value would look
   * current.
   */
  follow(labels: ValuesOf<Closed>, read: () => number | null | Promise<number | null>): void
}

export interface Histogram<Closed extends Labels = NoLabels> {
  observe(labels: ValuesOf<Closed>, value: number): void
}

/**
 * Creates the instruments of a process. Each label has a closed list of values, and any other value counts as `other`, so that
 * request data can never become a label or add a series.
 */
export interface Meter {
  counter<const Closed extends Labels = NoLabels>(description: Description<Closed>): Counter<Closed>
  gauge<const Closed extends Labels = NoLabels>(description: Description<Closed>): Gauge<Closed>
  histogram<const Closed extends Labels = NoLabels>(
    description: Description<Closed> & { buckets: readonly number[] },
  ): Histogram<Closed>
}

export const OTHER = 'other'

/** The series of counters with more combinations than this start with their first count, instead of at zero. */
const MAX_ZEROED = 200

export function createMeter(registry: Registry = new Registry()): Meter & { registry: Registry } {
  const failedReads = new PromCounter({
    name: 'vaani_metrics_failed_reads_total',
    help: 'Values that could not be read at a scrape, whose series are absent from it',
    registers: [registry],
  })

  return {
    registry,
    counter({ name, help, labels }) {
      const series = createSeries(labels, () => ({ added: 0 }))
      const counter = new PromCounter({
        name,
        help,
        labelNames: namesOf(labels),
        registers: [registry],
        collect() {
          for (const { closed, value } of series.all()) {
            counter.inc(closed, value.added)
            value.added = 0
          }
        },
      })
      const all = combine(labels)
      if (all.length <= MAX_ZEROED) for (const one of all) series.of(one)
      return { add: (values, by = 1) => void (series.of(values).added += by) }
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
      // The library initializes a gauge without labels to zero, as if that had been read.
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
    histogram: (description) => makeHistogram(registry, description),
  }
}

function makeHistogram<const Closed extends Labels>(
  registry: Registry,
  description: Description<Closed> & { buckets: readonly number[] },
): Histogram<Closed> {
  const { name, help, labels, buckets } = description
  const bounds = [...buckets, Number.POSITIVE_INFINITY]
  const series = createSeries(labels, () => ({ sum: 0, counts: bounds.map(() => 0) }))
  const valuesNow = () =>
    [...series.all()].flatMap(({ closed, value: { sum, counts } }) => {
      let count = 0
      const cumulative = bounds.map((bound, index) => ({
        labels: { le: bound === Number.POSITIVE_INFINITY ? '+Inf' : bound, ...closed },
        value: (count += counts[index] ?? 0),
        metricName: `${name}_bucket`,
      }))
      return [
        ...cumulative,
        { labels: closed, value: sum, metricName: `${name}_sum` },
        { labels: closed, value: count, metricName: `${name}_count` },
      ]
    })
  if (labels === undefined) series.of({})
  registry.registerMetric(new ReadHistogram({ name, help, labelNames: namesOf(labels) }, valuesNow))
  return {
    observe(values, value) {
      const one = series.of(values)
      one.sum += value
      const index = bounds.findIndex((bound) => value <= bound)
      one.counts[index] = (one.counts[index] ?? 0) + 1
    },
  }
}

type HistogramValues = Awaited<ReturnType<PromHistogram['get']>>['values']

/** A histogram that exports values counted elsewhere. */
class ReadHistogram extends PromHistogram {
  readonly #empty: PromHistogram
  readonly #read: () => HistogramValues

  constructor(description: HistogramConfiguration<string>, read: () => HistogramValues) {
    super({ ...description, registers: [] })
    this.#empty = new PromHistogram({ ...description, registers: [] })
    this.#read = read
  }

  override async get(): ReturnType<PromHistogram['get']> {
    return { ...(await this.#empty.get()), values: this.#read() }
  }

  /** Called by the registry for its text format, but missing from the library's types. */
  getForPromString(): ReturnType<PromHistogram['get']> {
    return this.get()
  }
}

interface Branch<Value> {
  next: Map<string, Branch<Value>>
  series?: { closed: Record<string, string>; value: Value }
}

/**
 * Creates the series of one instrument. They are found through a tree of label values, because the library sorts and joins the
 * labels at each count, which takes 700 ns instead of 60.
 */
function createSeries<Value>(labels: Labels = {}, create: () => Value) {
  const names = namesOf(labels)
  const close = closerOf(labels)
  const root: Branch<Value> = { next: new Map() }
  const all: { closed: Record<string, string>; value: Value }[] = []

  function grow(values: Readonly<Record<string, string>>): Value {
    const closed = close(values)
    let branch = root
    for (const name of names) {
      const value = closed[name] ?? OTHER
      let next = branch.next.get(value)
      if (next === undefined) branch.next.set(value, (next = { next: new Map() }))
      branch = next
    }
    if (branch.series === undefined) all.push((branch.series = { closed, value: create() }))
    return branch.series.value
  }

  return {
    all: () => all.values(),
    of(values: Readonly<Record<string, string>>): Value {
      let branch: Branch<Value> | undefined = root
      for (const name of names) branch = branch?.next.get(values[name] ?? OTHER)
      return branch?.series?.value ?? grow(values)
    },
  }
}

const namesOf = (labels: Labels = {}): string[] => Object.keys(labels)

/** Creates a function that replaces unlisted label values with `other`. */
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

/** Returns every combination of label values. */
const combine = (labels: Labels = {}): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (combined, [name, values]) =>
      combined.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
