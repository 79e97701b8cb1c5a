import path from 'node:path'
import { z } from 'zod'
import type { S3Config } from '../blobs/s3-blob-store.ts'
import type { DatabaseSettings } from '../database/open-database.ts'
import { VAULT_KEY_BYTES, type VaultKeys } from '../vault/vault.ts'
import { ConfigError, defineSettings, joinSettings, type Settings } from '../settings/define-settings.ts'
import { type TraceSettings, traceSettings } from '../settings/trace-settings.ts'
import { cidrs, httpUrl, list, optional } from '../settings/variables.ts'

export const ROLES = ['api', 'worker'] as const
export type Role = (typeof ROLES)[number]

const DEFAULT_PORT = 8080
const LOOPBACK = '127.0.0.1'

/** 0 selects any free port. */
const port = z.coerce.number().int().min(0).max(65_535)

/** Whether the text is `*` or an origin as browsers send it: no path, no default port. */
const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)

const encryptionKeys = z.string().transform((text, context) => {
  const [current, ...former] = list(text).map((key) => Buffer.from(key, 'base64'))
  if (current?.length === VAULT_KEY_BYTES && former.every((key) => key.length === VAULT_KEY_BYTES))
    return [current, ...former] satisfies VaultKeys
  context.addIssue(`must be ${VAULT_KEY_BYTES} bytes as base64, the current key before former ones`)
  return z.NEVER
})

/** Settings of every service. */
export interface ServiceSettings extends DatabaseSettings {
  host: string
  port: number
  /** Host that `/metrics` is served on. */
  metricsHost: string
  /** If undefined, metrics are not served. */
  metricsPort: number | undefined
  /** If undefined, limits are counted in this process. */
  redisUrl: string | undefined
  /** A slower Redis counts as down. If undefined, the limiter's default applies. */
  redisTimeoutMs: number | undefined
  /** If undefined, blobs are stored as files under the data directory. */
  s3: S3Config | undefined
  roles: ReadonlySet<Role>
  /** Keys that encrypt the secrets in the database. If undefined, a key is created and kept in the data directory. */
  encryptionKeys: VaultKeys | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** Origins whose pages may use this server; `*` allows all. */
  corsOrigins: readonly string[]
  shutdownGraceMs: number
  logLevel: string
  /** Null disables traces. */
  traces: TraceSettings | null
}

const ownSettings = defineSettings(
  {
    HOST: optional(z.string()),
    PORT: optional(port),
    VAANI_METRICS_HOST: optional(z.string()),
    VAANI_METRICS_PORT: optional(port),
    DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })),
    REDIS_URL: optional(z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' })),
    VAANI_REDIS_TIMEOUT_MS: optional(z.coerce.number().int().min(10).max(60_000)),
    S3_ENDPOINT: optional(httpUrl),
    S3_REGION: optional(z.string()),
    S3_BUCKET: optional(z.string()),
    S3_ACCESS_KEY_ID: optional(z.string()),
    S3_SECRET_ACCESS_KEY: optional(z.string()),
    VAANI_DATA_DIR: optional(z.string()),
    VAANI_ROLES: optional(
      z
        .string()
        .transform(list)
        .pipe(z.array(z.enum(ROLES, { error: `must be one or more of ${ROLES.join(', ')}` })).min(1)),
    ),
    VAANI_ENCRYPTION_KEY: optional(encryptionKeys),
    VAANI_TRUSTED_PROXIES: optional(cidrs),
    VAANI_CORS_ORIGINS: optional(
      z
        .string()
        .transform(list)
        .pipe(
          z.array(z.string().refine(isOrigin, 'must be * or origins, e.g. https://host or http://host:port')),
        ),
    ),
    VAANI_SHUTDOWN_GRACE_SECONDS: optional(z.coerce.number().min(0).max(3600)),
    LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  },
  (values): Omit<ServiceSettings, 'traces'> => ({
    host: values.HOST ?? LOOPBACK,
    port: values.PORT ?? DEFAULT_PORT,
    metricsHost: values.VAANI_METRICS_HOST ?? LOOPBACK,
    metricsPort: values.VAANI_METRICS_PORT,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    redisTimeoutMs: values.VAANI_REDIS_TIMEOUT_MS,
    s3: toS3Config({
      endpoint: values.S3_ENDPOINT,
      region: values.S3_REGION,
      bucket: values.S3_BUCKET,
      accessKeyId: values.S3_ACCESS_KEY_ID,
      secretAccessKey: values.S3_SECRET_ACCESS_KEY,
    }),
    dataDirectory: path.resolve(values.VAANI_DATA_DIR ?? '.vaani'),
    roles: new Set(values.VAANI_ROLES ?? ROLES),
    encryptionKeys: values.VAANI_ENCRYPTION_KEY,
    trustedProxies: values.VAANI_TRUSTED_PROXIES ?? [],
    corsOrigins: values.VAANI_CORS_ORIGINS ?? [],
    shutdownGraceMs: (values.VAANI_SHUTDOWN_GRACE_SECONDS ?? 20) * 1000,
    logLevel: values.LOG_LEVEL ?? 'info',
  }),
)

export const serviceSettings: Settings<ServiceSettings> = joinSettings(ownSettings, traceSettings)

function toS3Config({
  endpoint,
  region = 'us-east-1',
  bucket,
  accessKeyId,
  secretAccessKey,
}: Record<'endpoint' | 'region' | 'bucket' | 'accessKeyId' | 'secretAccessKey', string | undefined>):
  | S3Config
  | undefined {
  if (bucket === undefined) {
    if (endpoint !== undefined) throw new ConfigError('S3_BUCKET must be set if S3_ENDPOINT is')
    return undefined
  }
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set if S3_BUCKET is')
  return { endpoint, region, bucket, credentials: { accessKeyId, secretAccessKey } }
}
