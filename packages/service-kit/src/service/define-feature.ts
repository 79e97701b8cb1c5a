import type { AppRouter } from '@vaani/contracts'
import type { FastifyInstance } from 'fastify'
import type { Migrations } from '../database/migrate.ts'
import type { TranslateError } from '../http/errors.ts'
import { type Handlers, mount } from '../http/ts-rest.ts'
import type { Queues } from '../jobs/boss.ts'
import type { BackgroundWorker } from '../lifecycle/background-worker.ts'
import type { Settings } from '../settings/define-settings.ts'
import type { Meter } from '../telemetry/meter.ts'
import type { Tracer } from '../telemetry/tracer.ts'
import type { SealedColumn } from '../vault/load-vault.ts'

/** Mounts routes on the application. `served` is the part of the contract that all features serve. */
export type Mount = (app: FastifyInstance, served: AppRouter) => Promise<void>

/** What a feature has started. */
export interface FeatureParts<Port> {
  /** What answers its part of the contract: `handle` for most routes. */
  mounts: readonly Mount[]
  /** What the features after it may use of it, under its name. */
  port: Port
  /** What works in the background; they are stopped before anything is disposed. */
  workers?: readonly BackgroundWorker[]
  /** What removes that which was kept for as long as it may be, by what that is. They run in workers alone. */
  sweeps?: Sweeps
}

export type Sweeps = Readonly<Record<string, () => Promise<void>>>

/** What a feature declares without being started. */
export interface FeatureDeclaration {
  /** As its folder, and as what it gives to the features after it. */
  readonly name: string
  /** The part of the contract that it serves. */
  readonly contract: AppRouter
  readonly migrations?: Migrations
  /** Queues of jobs that it sends to or works on. */
  readonly queues?: Queues
  /** Columns of its tables that the vault seals. */
  readonly sealed?: readonly SealedColumn[]
  /** Answers errors of libraries that it alone uses. */
  readonly translate?: TranslateError
}

/**
 * One feature of a service: all that the service has to know of it.
 *
 * @typeParam Needs what `start` takes: services of the kit, ports of the features before it, its own settings, events, metrics
 *   and spans
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
  /** What happens in its business. */
  readonly events: readonly Event[]
  /** Makes the instruments that `start` takes as `metrics`. Their names begin with `vaani_` and the feature's subject. */
  readonly metrics: (meter: Meter) => Metrics
  /** Makes the spans of its work that `start` takes as `spans`. */
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
    events?: readonly Event[]
    metrics?: (meter: Meter) => Metrics
    spans?: (tracer: Tracer) => Spans
    start: (needs: Needs) => Promise<FeatureParts<Port>>
  },
): Feature<Name, Value, Event, Needs, Port, Metrics, Spans> {
  // Without settings, metrics or spans of its own, a feature's `Value`, `Metrics` or `Spans` is `object`.
  const { settings = NO_SETTINGS as Settings<Value>, events = [] } = feature
  const { metrics = () => ({}) as Metrics, spans = () => ({}) as Spans } = feature
  return { ...feature, settings, events, metrics, spans }
}

/** Mounts a handler for each route of a part of the contract. */
export const handle =
  <Router extends AppRouter>(router: Router, handlers: Handlers<Router>): Mount =>
  (app) =>
    mount(app, router, handlers)
