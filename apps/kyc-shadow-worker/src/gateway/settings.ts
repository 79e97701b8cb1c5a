import { defineSettings, joinSettings } from '@vaani/service-kit/settings/define-settings'
import { serviceSettings } from '@vaani/service-kit/service/service-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'
import { shadowSettings } from '../settings.ts'

const MIB = 1_048_576
const SAMPLING_KEY_BYTES = 32
const DEFAULTS = {
  maxConnections: 512,
  /** As undici's own: longer than any deployment should take to answer. */
  idleTimeoutSeconds: 300,
  spoolMaxBytes: 10_240 * MIB,
  spoolMaxSubmissions: 10_000,
  noiseShare: 0.02,
  workerPort: 8091,
} as const

/** Settings of the gateway alone. */
export interface OwnGatewaySettings {
  /** Connections in use to each deployment at a time; more requests wait. */
  maxConnections: number
  /** Longest wait for the head of an answer, and between two parts of its body. */
  idleTimeoutMs: number
  spoolMaxBytes: number
  spoolMaxSubmissions: number
  /** Key of the sample. If undefined, it is derived from the encryption key. */
  samplingKey: Buffer | undefined
  /** Share of the sampled submissions that go to v1 a second time, from 0 to 1. */
  noiseShare: number
  /** How the worker listens that the gateway starts; null if it starts none. */
  worker: { host: string; port: number; metricsPort: number | undefined } | null
}

const port = z.coerce.number().int().min(0).max(65_535)
const samplingKey = z.string().transform((text, context) => {
  const key = Buffer.from(text, 'base64')
  if (key.length === SAMPLING_KEY_BYTES) return key
  context.addIssue(`must be ${SAMPLING_KEY_BYTES} bytes as base64`)
  return z.NEVER
})

const ownSettings = defineSettings(
  {
    VAANI_SHADOW_MAX_CONNECTIONS: optional(z.coerce.number().int().min(1).max(65_535)),
    VAANI_SHADOW_IDLE_TIMEOUT_SECONDS: optional(z.coerce.number().min(1).max(3600)),
    VAANI_SHADOW_SPOOL_MAX_BYTES: optional(z.coerce.number().int().min(0)),
    VAANI_SHADOW_SPOOL_MAX_SUBMISSIONS: optional(z.coerce.number().int().min(0)),
    VAANI_SHADOW_SAMPLING_KEY: optional(samplingKey),
    VAANI_SHADOW_NOISE_SHARE: optional(z.coerce.number().min(0).max(1)),
    VAANI_SHADOW_WORKER: optional(z.enum(['child', 'none'])),
    VAANI_SHADOW_ADMIN_HOST: optional(z.string()),
    VAANI_SHADOW_ADMIN_PORT: optional(port),
    VAANI_SHADOW_ADMIN_METRICS_PORT: optional(port),
  },
  (values): OwnGatewaySettings => ({
    maxConnections: values.VAANI_SHADOW_MAX_CONNECTIONS ?? DEFAULTS.maxConnections,
    idleTimeoutMs: (values.VAANI_SHADOW_IDLE_TIMEOUT_SECONDS ?? DEFAULTS.idleTimeoutSeconds) * 1000,
    spoolMaxBytes: values.VAANI_SHADOW_SPOOL_MAX_BYTES ?? DEFAULTS.spoolMaxBytes,
    spoolMaxSubmissions: values.VAANI_SHADOW_SPOOL_MAX_SUBMISSIONS ?? DEFAULTS.spoolMaxSubmissions,
    samplingKey: values.VAANI_SHADOW_SAMPLING_KEY,
    noiseShare: values.VAANI_SHADOW_NOISE_SHARE ?? DEFAULTS.noiseShare,
    worker:
      values.VAANI_SHADOW_WORKER === 'none'
        ? null
        : {
            host: values.VAANI_SHADOW_ADMIN_HOST ?? '127.0.0.1',
            port: values.VAANI_SHADOW_ADMIN_PORT ?? DEFAULTS.workerPort,
            metricsPort: values.VAANI_SHADOW_ADMIN_METRICS_PORT,
          },
  }),
)

export const gatewaySettings = joinSettings(joinSettings(serviceSettings, shadowSettings), ownSettings)
export type GatewayConfig = ReturnType<typeof gatewaySettings.read>
