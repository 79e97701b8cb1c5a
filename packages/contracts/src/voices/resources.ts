import { z } from 'zod'
import { languageSchema, livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idPattern, idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import type { PartDefinition } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'

export const voiceIdSchema = idSchema('voice')

/** Returns whether a voice has the form of a cloned voice's id. */
export const isClonedVoiceId = (voice: string): boolean => idPattern('voice').test(voice)

export const voiceResourceSchema = z
  .object({
    voice_id: voiceIdSchema,
    livemode: livemodeSchema,
    name: z.string(),
    language: z.string().nullable().meta({ description: 'Language of the samples; null if none was given.' }),
    kind: z.enum(['parametric']).meta({
      description:
        'How the voice is made. `parametric`: the speaker’s pitch, range, rate, tilt and formants on a voice of the engine.',
    }),
    status: z.enum(['ready', 'processing', 'failed']),
    created_at: timeSchema,
  })
  .meta({ id: 'Voice', description: 'A cloned voice.' })

/** Why a recording cannot be made a voice; `reason` of the details of `media_unreadable`. */
export const RECORDING_REASONS = [
  'unknown_type',
  'damaged',
  'decoder_missing',
  'decoding_timeout',
  'too_short',
  'too_long',
  'too_quiet',
  'clipped',
  'too_noisy',
  'too_little_speech',
  'no_voice',
  'several_speakers',
  'other_speaker',
] as const
export type RecordingReason = (typeof RECORDING_REASONS)[number]

/** Parts of the form that clones a voice. */
export const CLONE_PARTS = {
  name: {
    kind: 'text',
    required: true,
    schema: lineSchema.min(1).max(100),
    description: 'Name of the voice.',
  },
  language: {
    kind: 'text',
    required: false,
    schema: languageSchema,
    description: 'Language of the samples.',
  },
  consent: {
    kind: 'text',
    required: true,
    schema: z.literal('true'),
    description: 'Must be `true`: confirms that the speaker consents to this voice.',
  },
  samples: {
    kind: 'file',
    required: true,
    maxBytes: LIMITS.cloneSampleBytes,
    maxFiles: LIMITS.cloneSamplesMax,
    mediaTypes: ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'audio/mp4', 'audio/webm'],
    description: '1 to 5 recordings of the speaker, 3 to 60 s each.',
  },
} as const satisfies Record<string, PartDefinition>
