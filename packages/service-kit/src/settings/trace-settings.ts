import { z } from 'zod'
import { defineSettings, type Environment, type Settings } from './define-settings.ts'
import { httpUrl, list, optional } from './variables.ts'

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export interface TraceSettings {
  sampler: (typeof SAMPLERS)[number]
  /** Share of traces that the ratio samplers keep, from 0 to 1. */
  ratio: number
  /** Whether to read the `traceparent` of requests. */
  readsParents: boolean
  /** How long spans are collected before they are sent. */
  gatherMs: number
  /** Maximum number of waiting spans; further ones are dropped. */
  maxWaiting: number
  /** Maximum number of spans per export. */
  maxAtOnce: number
}

const PROTOCOL = 'http/protobuf'
const protocol = optional(z.literal(PROTOCOL, { error: `must be ${PROTOCOL}` }))
const endpoint = optional(httpUrl)
const wholeNumber = z.coerce.number().int().min(1).max(1_000_000)

/** Declares the variables that apply if traces are on. The library reads the exporter's headers, timeout, etc. by itself. */
const whenOn = defineSettings(
  {
    OTEL_TRACES_EXPORTER: optional(z.literal('otlp', { error: 'must be otlp or none' })),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
    OTEL_TRACES_SAMPLER: optional(z.enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(', ')}` })),
    OTEL_TRACES_SAMPLER_ARG: optional(z.coerce.number().min(0).max(1)),
    OTEL_PROPAGATORS: optional(z.string().transform(list)),
    OTEL_BSP_SCHEDULE_DELAY: optional(wholeNumber),
    OTEL_BSP_MAX_QUEUE_SIZE: optional(wholeNumber),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: optional(wholeNumber),
  },
  (values): TraceSettings => ({
    sampler: values.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on',
    ratio: values.OTEL_TRACES_SAMPLER_ARG ?? 1,
    readsParents: values.OTEL_PROPAGATORS?.includes('tracecontext') ?? true,
    gatherMs: values.OTEL_BSP_SCHEDULE_DELAY ?? 5000,
    maxWaiting: values.OTEL_BSP_MAX_QUEUE_SIZE ?? 2048,
    maxAtOnce: values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? 512,
  }),
)

/** Whether the standard variables enable traces. */
function areOn(environment: Environment): boolean {
  const {
    OTEL_SDK_DISABLED: disabled = '',
    OTEL_TRACES_EXPORTER: exporter = '',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ownEndpoint = '',
  } = environment
  if (disabled.toLowerCase() === 'true' || exporter === 'none') return false
  return exporter !== '' || endpoint !== '' || ownEndpoint !== ''
}

/**
 * The standard variables of OpenTelemetry. If traces are off, none of them is validated, because a platform may set them for
 * all of its services.
 */
export const traceSettings: Settings<{ traces: TraceSettings | null }> = {
  variables: ['OTEL_SDK_DISABLED', ...whenOn.variables],
  read: (environment) => ({ traces: areOn(environment) ? whenOn.read(environment) : null }),
}
