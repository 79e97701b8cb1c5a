import { z } from 'zod'
import { livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idPattern, voiceIdSchema } from '../shared/ids.ts'

/** Returns whether a voice has the form of a cloned voice's id. */
export const isClonedVoiceId = (voice: string): boolean => idPattern('voice').test(voice)

export const voiceResourceSchema = z
  .object({
    voice_id: voiceIdSchema,
    livemode: livemodeSchema,
    name: z.string(),
    language: z.string().nullable().meta({ description: 'Language of the samples; null if none was given.' }),
    status: z.enum(['ready', 'processing', 'failed']),
    created_at: timeSchema,
  })
  .meta({ id: 'Voice', description: 'A cloned voice.' })
