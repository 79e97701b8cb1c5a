import { z } from 'zod'
import { languageSchema, livemodeSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { lineSchema, textSchema } from '../shared/text.ts'

export const agentIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z, 0-9, _ and -')
  .meta({ description: 'Id of the agent.', examples: ['reminder'] })

const NAME = { examples: ['Appointment reminder'] }
const VOICE = { description: 'Voice of the agent.', examples: ['nova'] }

export const agentSchema = z
  .object({
    agent_id: agentIdSchema,
    name: textSchema.min(1).max(100).meta(NAME),
    language: described(languageSchema, 'Language of `greeting`.'),
    voice: textSchema.min(1).max(64).meta(VOICE),
    greeting: textSchema
      .min(1)
      .max(LIMITS.agentTextCharacters)
      .meta({
        description:
          'What the agent says. `{{name}}` is replaced with that field of the call’s metadata; `{{name|friend}}` defaults to `friend`.',
        examples: ['Hello {{name|there}}, this is a reminder.'],
      }),
    translations: z.record(languageSchema, textSchema.min(1).max(LIMITS.agentTextCharacters)).meta({
      description: 'The greeting in other languages, by language tag; the language of the call selects one.',
    }),
    livemode: livemodeSchema,
  })
  .meta({ id: 'Agent' })
export type Agent = z.output<typeof agentSchema>

export const upsertAgentSchema = z
  .strictObject({
    ...agentSchema.omit({ agent_id: true, livemode: true }).shape,
    name: lineSchema.min(1).max(100).meta(NAME),
    voice: lineSchema.min(1).max(64).meta(VOICE),
    translations: agentSchema.shape.translations
      .refine((translations) => Object.keys(translations).length <= LIMITS.agentTranslations, {
        error: `must have at most ${LIMITS.agentTranslations} languages`,
      })
      .meta({ maxProperties: LIMITS.agentTranslations })
      .default({}),
  })
  .meta({
    id: 'UpsertAgentRequest',
    examples: [
      {
        name: 'Appointment reminder',
        language: 'en-US',
        voice: 'nova',
        greeting: 'Hello {{name|there}}, this is a reminder.',
        translations: { 'ne-NP': 'नमस्ते {{name}}, यो सम्झना हो।' },
      },
    ],
  })
