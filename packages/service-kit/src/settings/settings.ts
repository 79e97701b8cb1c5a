import path from 'node:path'
import type { EngineSettings } from '@vaani/identity-checks'
import { DEFAULT_POLICY } from '@vaani/identity-checks/policies'
import type { S3Config } from '../blobs/s3-blob-store.ts'
import { VAULT_KEY_BYTES, type VaultKeys } from '../vault/vault.ts'
import { z } from 'zod'

export const ROLES = ['api', 'worker'] as const
export type Role = (typeof ROLES)[number]

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** An empty variable means the same as none. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const secondsList = z
  .string()
  .transform((text) => list(text).map(Number))
  .refine((seconds) => seconds.length > 0 && seconds.every((value) => Number.isFinite(value) && value >= 0), {
    error: 'must be seconds separated by commas',
  })

const cidrs = z
  .string()
  .transform(list)
  .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()], { error: 'must be CIDR ranges' })))

/** An origin as browsers send it: no path, no default port. */
const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)

const encryptionKeys = z.string().transform((text, context) => {
  const [current, ...former] = list(text).map((key) => Buffer.from(key, 'base64'))
  if (current?.length === VAULT_KEY_BYTES && former.every((key) => key.length === VAULT_KEY_BYTES))
    return [current, ...former] satisfies VaultKeys
  context.addIssue(`must be ${VAULT_KEY_BYTES} bytes as base64, the current key before former ones`)
  return z.NEVER
})

const environmentSchema = z.object({
  HOST: optional(z.string()),
  PORT: optional(z.coerce.number().int().min(0).max(65_535)),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' })),
  VAANI_REDIS_TIMEOUT_MS: optional(z.coerce.number().int().min(10).max(60_000)),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' })),
  S3_REGION: optional(z.string()),
  S3_BUCKET: optional(z.string()),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  VAANI_DATA_DIR: optional(z.string()),
  VAANI_ROLES: optional(
    z
      .string()
      .transform(list)
      .pipe(z.array(z.enum(ROLES, { error: `must be of ${ROLES.join(', ')}` })).min(1)),
  ),
  VAANI_BOOTSTRAP_API_KEY: optional(
    z
      .string()
      .regex(/^sk_(test|live)_[A-Za-z0-9_-]+$/, 'must begin with sk_test_ or sk_live_')
      .min(24)
      .max(200),
  ),
  VAANI_ENCRYPTION_KEY: optional(encryptionKeys),
  VAANI_CALLBACK_ALLOW_CIDRS: optional(cidrs),
  VAANI_TRUSTED_PROXIES: optional(cidrs),
  VAANI_CORS_ORIGINS: optional(
    z
      .string()
      .transform(list)
      .pipe(
        z.array(z.string().refine(isOrigin, 'must be * or origins, as https://host or http://host:port')),
      ),
  ),
  VAANI_WEBHOOK_SCHEDULE_SECONDS: optional(secondsList),
  VAANI_IDENTITY_POLICY: optional(z.string()),
  VAANI_IDENTITY_POLICIES_FILE: optional(z.string()),
  VAANI_FACE_ENGINE: optional(z.string()),
  VAANI_LIVENESS_ENGINE: optional(z.string()),
  VAANI_ENGINES_DIRECTORY: optional(z.string()),
  VAANI_MEDIA_RETENTION_DAYS: optional(z.coerce.number().min(0).max(3650)),
  VAANI_RECORDING_RETENTION_DAYS: optional(z.coerce.number().min(0).max(3650)),
  VAANI_MAX_CALLS: optional(z.coerce.number().int().min(1).max(1000)),
  VAANI_SHUTDOWN_GRACE_SECONDS: optional(z.coerce.number().min(0).max(3600)),
  LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
})

export interface Config {
  host: string
  port: number
  /** Undefined: the embedded Postgres under the data directory. */
  databaseUrl: string | undefined
  /** Undefined: limits are counted in this process. */
  redisUrl: string | undefined
  /** A Redis that is slower counts as away. Undefined: the limiter's own. */
  redisTimeoutMs: number | undefined
  /** Undefined: blobs are files under the data directory. */
  s3: S3Config | undefined
  dataDirectory: string
  roles: ReadonlySet<Role>
  /** Name of the carrier that dials, shown on every call. */
  carrier: 'simulator'
  bootstrapApiKey: string | undefined
  /** They encrypt the secrets in the database. Undefined: a key that is made and kept in the data directory. */
  encryptionKeys: VaultKeys | undefined
  callbackAllowCidrs: readonly string[]
  /** Proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  /** Whose pages may use this server from browsers; `*` allows all. */
  corsOrigins: readonly string[]
  webhookScheduleSeconds: readonly number[] | undefined
  /** Name of the policy that decides verifications. */
  identityPolicy: string
  /** A file with policies of the operator's. */
  identityPoliciesFile: string | undefined
  /** Engines of faces and liveness that the operator adds, and where their packages are. */
  engines: EngineSettings
  /** How long the media of a decided verification is kept. */
  mediaRetentionDays: number
  /** How long the recording of a call is kept after the call has ended. */
  recordingRetentionDays: number
  /** Calls that this worker carries at a time. */
  maxCalls: number
  shutdownGraceMs: number
  logLevel: string
}

/** A variable that cannot be used. The message names variables and never holds a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'config_invalid'
}

const DEFAULT_PORT = 8080

/**
 * The configuration from environment variables.
 *
 * @throws ConfigError naming each variable that is wrong
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const result = environmentSchema.safeParse(environment)
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
    throw new ConfigError(problems.join('; '))
  }
  const values = result.data
  return {
    host: values.HOST ?? '127.0.0.1',
    port: values.PORT ?? DEFAULT_PORT,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    redisTimeoutMs: values.VAANI_REDIS_TIMEOUT_MS,
    s3: readS3Config(values),
    dataDirectory: path.resolve(values.VAANI_DATA_DIR ?? '.vaani'),
    roles: new Set(values.VAANI_ROLES ?? ROLES),
    carrier: 'simulator',
    bootstrapApiKey: values.VAANI_BOOTSTRAP_API_KEY,
    encryptionKeys: values.VAANI_ENCRYPTION_KEY,
    callbackAllowCidrs: values.VAANI_CALLBACK_ALLOW_CIDRS ?? [],
    trustedProxies: values.VAANI_TRUSTED_PROXIES ?? [],
    corsOrigins: values.VAANI_CORS_ORIGINS ?? [],
    webhookScheduleSeconds: values.VAANI_WEBHOOK_SCHEDULE_SECONDS,
    identityPolicy: values.VAANI_IDENTITY_POLICY ?? DEFAULT_POLICY.name,
    identityPoliciesFile: values.VAANI_IDENTITY_POLICIES_FILE,
    engines: {
      face: values.VAANI_FACE_ENGINE,
      liveness: values.VAANI_LIVENESS_ENGINE,
      directory: values.VAANI_ENGINES_DIRECTORY,
    },
    mediaRetentionDays: values.VAANI_MEDIA_RETENTION_DAYS ?? 30,
    recordingRetentionDays: values.VAANI_RECORDING_RETENTION_DAYS ?? 30,
    maxCalls: values.VAANI_MAX_CALLS ?? 100,
    shutdownGraceMs: (values.VAANI_SHUTDOWN_GRACE_SECONDS ?? 20) * 1000,
    logLevel: values.LOG_LEVEL ?? 'info',
  }
}

function readS3Config(values: z.output<typeof environmentSchema>): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (bucket === undefined) {
    if (values.S3_ENDPOINT !== undefined) throw new ConfigError('S3_BUCKET must be set where S3_ENDPOINT is')
    return undefined
  }
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set where S3_BUCKET is')
  return {
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION ?? 'us-east-1',
    bucket,
    credentials: { accessKeyId, secretAccessKey },
  }
}
