import type { AppRouter } from '@vaani/contracts'
import { joinMigrations, type Migrations } from '../database/migrate.ts'
import type { TranslateError } from '../http/refusals/handle-errors.ts'
import type { SocketRoute } from '../http/connection/upgrades.ts'
import { ConfigError, joinSettings, type Settings } from '../settings/define-settings.ts'
import type { Events } from '../telemetry/events.ts'
import type { Meter } from '../telemetry/meter.ts'
import type { Tracer } from '../telemetry/tracer.ts'
import type { SealedColumn } from './sealed-column.ts'
import type { Feature, FeatureDeclaration, FeatureParts } from './define-feature.ts'

/** The features of a service, in the order in which they start. Each may use the ports of those before it. */
export interface FeatureList<Base, Ports, Value extends object, Event extends string> {
  /** Adds a feature. Does not compile if it needs something that is neither a service nor the port of an earlier feature. */
  with<
    Name extends string,
    Own extends object,
    OwnEvent extends string,
    Port,
    Metrics extends object,
    Spans extends object,
  >(
    feature: Feature<
      Name,
      Own,
      OwnEvent,
      Base & Ports & { settings: Own; events: Events<OwnEvent>; metrics: Metrics; spans: Spans },
      Port,
      Metrics,
      Spans
    >,
  ): FeatureList<Base, Ports & Record<Name, Port>, Value & Own, Event | OwnEvent>
  readonly settings: Settings<Value>
  /** Checks what the settings of all features name, before any of them starts. @throws ConfigError */
  check(settings: Value): Promise<void>
  readonly events: readonly Event[]
  readonly migrations: Migrations
  /** Declares the metrics of all features, like `start`. */
  readonly declareMetrics: (meter: Meter) => void
  /** Declares the spans of all features, like `start`. */
  readonly declareSpans: (tracer: Tracer) => void
  readonly sealed: readonly SealedColumn[]
  /** The part of the contract that they serve. */
  readonly contract: AppRouter
  readonly sockets: readonly SocketRoute[]
  readonly translate: TranslateError
  readonly notServed: Readonly<Record<string, string>>
  /** Starts the features one after another, and calls `onStarted` with the parts of each. */
  start(base: Base, options: StartOptions<Value, Event>): Promise<Ports>
}

interface StartOptions<Value, Event extends string> {
  settings: Value
  events: Events<Event>
  meter: Meter
  tracer: Tracer
  onStarted: (parts: FeatureParts<unknown>) => void
}

/** Returns an empty list, for a service that gives `Base` to its features. */
export function listFeatures<Base, Value extends object>(
  settings: Settings<Value>,
): FeatureList<Base, object, Value, never> {
  return makeList<Base, object, Value, never>({
    declarations: [],
    settings,
    checks: [],
    events: [],
    metrics: [],
    spans: [],
    start: async () => ({}),
  })
}

function makeList<Base, Ports, Value extends object, Event extends string>(parts: {
  declarations: readonly FeatureDeclaration[]
  settings: Settings<Value>
  checks: readonly ((settings: Value) => Promise<unknown>)[]
  events: readonly Event[]
  metrics: readonly ((meter: Meter) => object)[]
  spans: readonly ((tracer: Tracer) => object)[]
  start(base: Base, options: StartOptions<Value, Event>): Promise<Ports>
}): FeatureList<Base, Ports, Value, Event> {
  const { declarations, settings, checks, events, metrics, spans, start } = parts
  return {
    settings,
    async check(values) {
      const wrong: string[] = []
      for (const check of checks)
        try {
          await check(values)
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error
          wrong.push(error.message)
        }
      if (wrong.length > 0) throw new ConfigError(wrong.join('; '))
    },
    events,
    start,
    migrations: joinMigrations(declarations.map(({ migrations = {} }) => migrations)),
    declareMetrics(meter) {
      for (const declare of metrics) declare(meter)
    },
    declareSpans(tracer) {
      for (const declare of spans) declare(tracer)
    },
    sealed: declarations.flatMap(({ sealed = [] }) => sealed),
    sockets: declarations.flatMap(({ sockets = [] }) => sockets),
    contract: joinContracts(declarations.map(({ contract }) => contract)),
    translate(error) {
      for (const { translate } of declarations) {
        const answer = translate?.(error)
        if (answer) return answer
      }
      return null
    },
    notServed: Object.assign({}, ...declarations.map((declaration) => declaration.notServed)),
    with: (feature) =>
      makeList({
        declarations: [...declarations, feature],
        settings: joinSettings(settings, feature.settings),
        checks: [...checks, feature.check],
        events: [...events, ...feature.events],
        metrics: [...metrics, feature.metrics],
        spans: [...spans, feature.spans],
        async start(base, options) {
          const ports = await start(base, options)
          const { settings, events, meter, tracer } = options
          const metrics = feature.metrics(meter)
          const given = { ...base, ...ports, settings, events, metrics, spans: feature.spans(tracer) }
          const started = await feature.start(given)
          options.onStarted(started)
          return { ...ports, ...named(feature.name, started.port) }
        },
      }),
  }
}

/** Joins parts of the contract. Two features may serve routes of one group. */
function joinContracts(parts: readonly AppRouter[]): AppRouter {
  const joined: AppRouter = {}
  for (const part of parts)
    for (const [name, group] of Object.entries(part)) joined[name] = Object.assign({}, joined[name], group)
  return joined
}

/** Makes an object with one key. A cast, because the compiler widens a computed key to any string. */
const named = <Name extends string, Port>(name: Name, port: Port) => ({ [name]: port }) as Record<Name, Port>
