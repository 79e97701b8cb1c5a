import { type ChatTarget, ENDPOINTS, type UpstreamOptions } from '@vaani/chat'
import { readSettingsFile } from '@vaani/service-kit/settings/read-settings-file'
import { z } from 'zod'
import { problemsOfOptions } from './explain-options.ts'

export const UPSTREAMS_VARIABLE = 'VAANI_CHAT_UPSTREAMS_FILE'

const text = z.string().min(1)
const whole = z.number().int()

const upstreamMembers = z.strictObject({
  base_url: z.string(),
  /** Name of the environment variable with the key. */
  api_key_variable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,99}$/, { error: 'must be the name of an environment variable' })
    .optional(),
  /** Path of a file with the key. */
  api_key_file: text.optional(),
  models: z.array(text),
  /** Models for what it has beside chats. */
  endpoints: z.partialRecord(z.enum(ENDPOINTS), z.array(text)).optional(),
  stream_usage: z.boolean().optional(),
  max_concurrent: whole.optional(),
  first_chunk_timeout_ms: whole.optional(),
  chunk_timeout_ms: whole.optional(),
  answer_timeout_ms: whole.optional(),
  max_retries: whole.optional(),
  max_retry_delay_ms: whole.optional(),
  max_answer_bytes: whole.optional(),
  max_event_bytes: whole.optional(),
})

const upstreamSchema = upstreamMembers
  .refine((one) => one.api_key_variable === undefined || one.api_key_file === undefined, {
    error: 'must not have both api_key_variable and api_key_file',
  })
  .transform(({ api_key_variable, api_key_file, ...upstream }) => ({
    keyVariable: api_key_variable,
    keyFile: api_key_file,
    options: toOptions(upstream),
  }))

const toOptions = (
  upstream: Omit<z.output<typeof upstreamMembers>, 'api_key_variable' | 'api_key_file'>,
): UpstreamOptions => ({
  baseUrl: upstream.base_url,
  models: upstream.models,
  endpoints: upstream.endpoints,
  streamUsage: upstream.stream_usage,
  maxConcurrent: upstream.max_concurrent,
  firstChunkTimeoutMs: upstream.first_chunk_timeout_ms,
  chunkTimeoutMs: upstream.chunk_timeout_ms,
  answerTimeoutMs: upstream.answer_timeout_ms,
  maxRetries: upstream.max_retries,
  maxRetryDelayMs: upstream.max_retry_delay_ms,
  maxAnswerBytes: upstream.max_answer_bytes,
  maxEventBytes: upstream.max_event_bytes,
})

const targetSchema = z
  .strictObject({ upstream: text, model: text.optional(), weight: z.number().optional() })
  .transform(({ upstream, ...target }): ChatTarget => ({ provider: upstream, ...target }))

const fileSchema = z.strictObject({
  upstreams: z.record(
    z.string().regex(/^[a-z0-9-]{1,64}$/, { error: 'must be 1 to 64 of a-z, 0-9 and -' }),
    upstreamSchema,
  ),
  models: z.record(z.string().min(1).max(200), z.array(targetSchema)).optional(),
})

export type UpstreamsFile = z.output<typeof fileSchema>
export type UpstreamEntry = UpstreamsFile['upstreams'][string]

/** Reads the file. @throws ConfigError that names each invalid member, without its value */
export const readUpstreamsFile = (file: string): Promise<UpstreamsFile> =>
  readSettingsFile(UPSTREAMS_VARIABLE, file, fileSchema, findMore)

/** Finds what is wrong with members that have the right types, in a file in which others have not. */
function findMore(file: unknown): string[] {
  if (!isObject(file)) return []
  const upstreams = isObject(file['upstreams']) ? file['upstreams'] : undefined
  const problems = Object.entries(upstreams ?? {}).flatMap(([name, entry]) =>
    isObject(entry) ? problemsOfOptions(`upstreams.${name}`, optionsOfValid(entry)) : [],
  )
  const { models } = file
  if (upstreams !== undefined && isObject(models)) problems.push(...unknownUpstreams(models, upstreams))
  return problems
}

/** Members that are wrong already have values that are not. */
function optionsOfValid(entry: Readonly<Record<string, unknown>>): UpstreamOptions {
  const valid = Object.entries(upstreamMembers.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(entry[name])
    return parsed.success ? [[name, parsed.data]] : []
  })
  return toOptions({ base_url: 'http://127.0.0.1', models: ['any'], ...Object.fromEntries(valid) })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names the targets of models that are upstreams which the file does not have. */
const unknownUpstreams = (models: object, upstreams: object): string[] =>
  Object.entries(models).flatMap(([name, targets]: [string, unknown]) =>
    (Array.isArray(targets) ? targets : []).flatMap((target: unknown, index) =>
      isObject(target) &&
      typeof target['upstream'] === 'string' &&
      !Object.hasOwn(upstreams, target['upstream'])
        ? [`models.${name}.${index}.upstream is not the name of an upstream`]
        : [],
    ),
  )
