import type { AppRouter } from '@vaani/contracts'
import type { Migrations } from '../database/migrate.ts'
import type { Counters } from '../http/limits/counters.ts'
import type { TranslateError } from '../http/refusals/handle-errors.ts'
import type { OnRefusal } from '../http/refusals/describe-refusal.ts'
import { type Handlers, type Mount, mount } from '../http/ts-rest.ts'
import type { SocketRoute } from '../http/connection/upgrades.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import type { Settings } from '../settings/define-settings.ts'
import type { Meter } from '../telemetry/meter.ts'
import type { Tracer } from '../telemetry/tracer.ts'
import type { SealedColumn } from './sealed-column.ts'

export type { Mount } from '../http/ts-rest.ts'

/** The parts of a started feature. */
export interface FeatureParts<Port> {
  /** Mount the routes of its part of the contract; most are made by `handle`. */
  mounts: readonly Mount[]
  /** Interface for the features after it, under its name. */
  port: Port
  /** Background workers, which are stopped before anything is disposed. */
  workers?: readonly BackgroundWorker[]
  /** Functions that remove expired data, by what they remove. They run only in processes with the role `worker`. */
  sweeps?: Sweeps
  /** Called with each request that is refused to a known caller. */
  onRefusal?: OnRefusal
  /** Counts what it enforces limits on, other than slots that requests hold. */
  counters?: Counters
}

export type Sweeps = Readonly<Record<string, () => Promise<void>>>

/** What a feature declares before it is started. */
export interface FeatureDeclaration {
  /** Name of its folder, and of its port for the features after it. */
  readonly name: string
  /** The part of the contract that it serves. */
  readonly contract: AppRouter
  /** WebSockets that it serves. */
  readonly sockets?: readonly SocketRoute[]
  readonly migrations?: Migrations
  /** Columns of its tables that the vault seals. */
  readonly sealed?: readonly SealedColumn[]
  /** Translates errors of libraries that only this feature uses. */
  readonly translate?: TranslateError
  /** What to say at paths that clients expect and that are not served, by their beginning. */
  readonly notServed?: Readonly<Record<string, string>>
}

/**
 * One feature of a service: everything that the service has to know about it.
 *
 * @typeParam Needs the argument of `start`: services of the kit, ports of the features before it, and its own settings, events,
 *   metrics and spans
 */
export interface Feature<
  Name extends string,
  Value extends object,
  Event extends string,
  Needs,
  Port,
  Metrics extends object,
  Spans extends object,
> extends FeatureDeclaration {
  readonly name: Name
  readonly settings: Settings<Value>
  /** Checks what settings name, such as files, before any feature starts. @throws ConfigError */
  readonly check: (settings: Value) => Promise<unknown>
  /** Names of its business events. */
  readonly events: readonly Event[]
  /** Declares the instruments that `start` gets as `metrics`. Their names begin with `vaani_` and the feature's subject. */
  readonly metrics: (meter: Meter) => Metrics
  /** Declares the spans that `start` gets as `spans`. */
  readonly spans: (tracer: Tracer) => Spans
  start: (needs: Needs) => Promise<FeatureParts<Port>>
}

const NO_SETTINGS: Settings<object> = { variables: [], read: () => ({}) }

/**
 * Declares a feature.
 *
 * ```ts
 * export const languages = defineFeature({
 *   name: 'synthesis',
 *   contract: { synthesis: { languages: contract.synthesis.languages } },
 *   start: async ({ speech }: { speech: SpeechPort }) => ({
 *     mounts: [handle({ languages: contract.synthesis.languages }, { languages: listLanguages(speech) })],
 *     port: undefined,
 *   }),
 * })
 * ```
 */
export function defineFeature<
  const Name extends string,
  Needs,
  Port,
  Value extends object = object,
  const Event extends string = never,
  Metrics extends object = object,
  Spans extends object = object,
>(
  feature: FeatureDeclaration & {
    name: Name
    settings?: Settings<Value>
    check?: (settings: Value) => Promise<unknown>
    events?: readonly Event[]
    metrics?: (meter: Meter) => Metrics
    spans?: (tracer: Tracer) => Spans
    start: (needs: Needs) => Promise<FeatureParts<Port>>
  },
): Feature<Name, Value, Event, Needs, Port, Metrics, Spans> {
  // Without settings, metrics or spans of its own, a feature's `Value`, `Metrics` or `Spans` is `object`.
  const { settings = NO_SETTINGS as Settings<Value>, events = [] } = feature
  const { metrics = () => ({}) as Metrics, spans = () => ({}) as Spans } = feature
  const { check = async () => undefined } = feature
  return { ...feature, settings, check, events, metrics, spans }
}

/** Mounts a handler for each route of a part of the contract. */
export const handle =
  <Router extends AppRouter>(router: Router, handlers: Handlers<Router>): Mount =>
  (app) =>
    mount(app, router, handlers)
