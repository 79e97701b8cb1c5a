import { access } from 'node:fs/promises'
import path from 'node:path'
import { readSettingsFile } from '@vaani/service-kit/settings/read-settings-file'
import type { OpenAiEngineOptions } from '@vaani/speech-openai'
import type { FliteOptions } from '@vaani/speech-flite'
import type { SherpaEngineOptions } from '@vaani/speech-sherpa'
import { z } from 'zod'
import type { SpeechSettings } from './settings.ts'

export const ENGINES_VARIABLE = 'VAANI_SPEECH_ENGINES_FILE'

const text = z.string().min(1)
const tag = z.string()
const row = { tag, quality: z.enum(['native', 'fallback', 'degraded']).optional(), note: text.optional() }
const members = z.record(z.string(), z.unknown())
const whole = z.number().int()
const voices = z.record(z.string(), z.string())

const openAiSchema = z
  .strictObject({
    type: z.literal('openai'),
    base_url: z.string(),
    /** Path of a file with the key. */
    api_key_file: text.optional(),
    /** Whether the key is that of the environment. */
    api_key_from_environment: z.boolean().default(false),
    model: z.string(),
    voices,
    languages: z.array(
      z.union([tag, z.strictObject({ ...row, voices: voices.optional(), body: members.optional() })]),
    ),
    format: z.enum(['pcm', 'wav']).optional(),
    sample_rate_hz: whole.optional(),
    body: members.optional(),
    max_concurrent: whole.optional(),
    first_audio_timeout_ms: whole.optional(),
    chunk_timeout_ms: whole.optional(),
    max_retries: whole.optional(),
    max_retry_delay_ms: whole.optional(),
    repeatable: z.boolean().optional(),
  })
  .transform(({ type, api_key_file, api_key_from_environment, ...engine }) => ({
    type,
    apiKeyFile: api_key_file,
    usesEnvironmentKey: api_key_from_environment,
    options: {
      baseUrl: engine.base_url,
      model: engine.model,
      voices: engine.voices,
      languages: engine.languages,
      format: engine.format,
      sampleRateHz: engine.sample_rate_hz,
      body: engine.body,
      maxConcurrent: engine.max_concurrent,
      firstAudioTimeoutMs: engine.first_audio_timeout_ms,
      chunkTimeoutMs: engine.chunk_timeout_ms,
      maxRetries: engine.max_retries,
      maxRetryDelayMs: engine.max_retry_delay_ms,
      repeatable: engine.repeatable,
    } satisfies OpenAiEngineOptions,
  }))

/** The members of each family are named as in sherpa-onnx, whose documentation explains them. */
const scales = { lengthScale: z.number().optional() }
const noise = { ...scales, noiseScale: z.number().optional() }
const optionalFiles = { dataDir: text.optional(), lexicon: text.optional() }
const filesSchema = z.union(
  [
    z.strictObject({
      vits: z.strictObject({
        model: text,
        tokens: text,
        ...optionalFiles,
        ...noise,
        noiseScaleW: z.number().optional(),
      }),
    }),
    z.strictObject({
      matcha: z.strictObject({
        acousticModel: text,
        vocoder: text,
        tokens: text,
        ...optionalFiles,
        ...noise,
      }),
    }),
    z.strictObject({
      kokoro: z.strictObject({
        model: text,
        voices: text,
        tokens: text,
        ...optionalFiles,
        ...scales,
        lang: text.optional(),
      }),
    }),
    z.strictObject({
      kitten: z.strictObject({
        model: text,
        voices: text,
        tokens: text,
        dataDir: text.optional(),
        ...scales,
      }),
    }),
  ],
  { error: 'must have the files of one family: vits, matcha, kokoro or kitten' },
)

const sherpaSchema = z
  .strictObject({
    type: z.literal('sherpa'),
    models: z.array(
      z.strictObject({
        files: filesSchema,
        languages: z.array(z.union([tag, z.strictObject(row)])),
        voices: z.record(z.string(), whole),
        processes: whole.optional(),
        threads: whole.optional(),
      }),
    ),
    directory: text.optional(),
    stall_ms: whole.optional(),
    load_ms: whole.optional(),
    repeatable: z.boolean().optional(),
  })
  .transform(({ type, models, directory, ...engine }) => ({
    type,
    directory,
    options: {
      models,
      directory,
      stallMs: engine.stall_ms,
      loadMs: engine.load_ms,
      repeatable: engine.repeatable,
    } satisfies SherpaEngineOptions,
  }))

const threads = { workers: whole.min(1).max(256).optional(), warm_workers: whole.min(0).max(256).optional() }
const toThreads = ({
  workers,
  warm_workers,
}: {
  workers?: number | undefined
  warm_workers?: number | undefined
}) => ({
  ...(workers !== undefined && { workers }),
  ...(warm_workers !== undefined && { warmWorkers: warm_workers }),
})

const espeakSchema = z
  .strictObject({ type: z.literal('espeak'), ...threads })
  .transform(({ type, ...entry }) => ({ type, options: toThreads(entry) }))

const fliteSchema = z
  .strictObject({
    type: z.literal('flite'),
    method: z.enum(['diphone', 'clustergen']).optional(),
    ...threads,
  })
  .transform(({ type, method, ...entry }) => ({
    type,
    options: { ...(method !== undefined && { method }), ...toThreads(entry) } satisfies FliteOptions,
  }))

const fileSchema = z.strictObject({
  engines: z.record(
    z.string().regex(/^[a-z0-9-]{1,64}$/, { error: 'must be 1 to 64 of a-z, 0-9 and -' }),
    z.discriminatedUnion('type', [openAiSchema, sherpaSchema, espeakSchema, fliteSchema]),
  ),
  routes: z
    .array(
      z.strictObject({
        languages: z.array(tag).optional(),
        voices: z.array(text).optional(),
        engines: z.array(text).min(1),
      }),
    )
    .optional(),
})

/** The file as the operator writes it. */
export type EnginesInput = z.input<typeof fileSchema>
export type EnginesFile = z.output<typeof fileSchema>
export type EngineEntry = EnginesFile['engines'][string]

/** Reads the file. @throws ConfigError that names each invalid member, without its value */
export const readEnginesFile = (file: string): Promise<EnginesFile> =>
  readSettingsFile(ENGINES_VARIABLE, file, fileSchema)

/** The file that counts if the setting names none, and that `voices add` writes then. */
export const ownEnginesFile = (dataDirectory: string): string =>
  path.resolve(dataDirectory, 'voices', 'engines.json')

/** Returns the setting with the file of the data directory in its place if there is one. */
export async function findEnginesFile<Found extends SpeechSettings & { dataDirectory: string }>(
  settings: Found,
): Promise<Found> {
  if (settings.speechEnginesFile !== undefined) return settings
  const own = ownEnginesFile(settings.dataDirectory)
  const exists = await access(own).then(
    () => true,
    () => false,
  )
  return exists ? { ...settings, speechEnginesFile: own } : settings
}

/** Whether nothing of speech is loaded before the first one. @throws ConfigError like `readEnginesFile` */
export async function isOnDemand({ speechEnginesFile }: SpeechSettings): Promise<boolean> {
  if (speechEnginesFile === undefined) return false
  const { engines } = await readEnginesFile(speechEnginesFile)
  return Object.values(engines).every(({ options }) => 'warmWorkers' in options && options.warmWorkers === 0)
}
