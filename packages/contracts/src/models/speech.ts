import { z } from 'zod'
import { spokenTextSchema } from '../shared/checks.ts'
import { openObject } from '../shared/json.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { speedSchema, voiceSchema } from '../shared/speaking.ts'
import { lineSchema } from '../shared/text.ts'

export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const

/** The OpenAI wire format. A format that the engine lacks is 400. */
export const speechRequestSchema = openObject({
  model: lineSchema.min(1).max(200),
  input: described(spokenTextSchema(LIMITS.streamInputCharacters), 'Text to speak.'),
  voice: voiceSchema,
  response_format: z.enum(SPEECH_FORMATS).default('mp3').meta({ description: 'Format of the audio.' }),
  speed: described(speedSchema, 'Rate of speech.').default(1),
}).meta({ id: 'SpeechRequest', examples: [{ model: 'synth-v1', input: 'Good morning.', voice: 'default' }] })
