import { z } from 'zod'
import { languageSchema, spokenTextSchema } from '../shared/checks.ts'
import { openObject } from '../shared/json.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { EMOTIONS, markupSchema, SPOKEN_TEXT, voiceSchema } from '../shared/speaking.ts'
import { lineSchema, textSchema } from '../shared/text.ts'

/** Formats of hosted speech, which are those of the OpenAI wire format. */
export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const
export type SpeechFormat = (typeof SPEECH_FORMATS)[number]
/** Sample rate of the hosted speech, in every format. */
export const SPEECH_SAMPLE_RATE_HZ = 24_000

const { speedMin, speedMax } = LIMITS
/** Range of `speed` in the OpenAI wire format. */
const SPEED = { min: 0.25, max: 4 }
const INSTRUCTIONS_CHARACTERS = 4096

/** Newer fields are ignored. */
export const speechRequestSchema = openObject({
  model: lineSchema.min(1).max(200).meta({
    description:
      '`synth-v1`, `synth-l1`, `synth-l2`, or a model of OpenAI that they stand in for: `tts-1-hd` and `gpt-4o-mini-tts`, or `tts-1`. Sets the bit rate of mp3, opus and aac.',
  }),
  input: described(spokenTextSchema(LIMITS.streamInputCharacters), SPOKEN_TEXT),
  voice: z.union([voiceSchema, openObject({ id: voiceSchema })]).meta({
    description:
      'A voice of the engine or of OpenAI, for which one of the engine stands in, or the id of a cloned voice, alone or as `{ "id": … }`.',
  }),
  response_format: z.enum(SPEECH_FORMATS).default('mp3').meta({
    description:
      'Mono audio at 24 kHz: `opus` in Ogg, `aac` in ADTS (if the server has ffmpeg), `pcm` 16-bit little-endian without a header.',
  }),
  speed: described(
    z.number().min(SPEED.min).max(SPEED.max),
    `Rate of speech. Own engines refuse others than ${speedMin} to ${speedMax}.`,
  ).default(1),
  instructions: described(
    textSchema.max(INSTRUCTIONS_CHARACTERS),
    `How to speak: ${EMOTIONS.join(', ')}, or anything else if the engine follows it.`,
  ).default(''),
  stream_format: z.enum(['audio', 'sse']).default('audio').meta({
    description: '`audio` is the audio itself, `sse` events with parts of it in base64.',
  }),
  language: languageSchema.optional().meta({
    description:
      'Language of the input. By default, that of its script: Devanagari is `hi-IN`, Arabic `ar-SA`, Cyrillic `ru-RU`, Kana `ja-JP`, Han `zh-CN`, all else `en-US`.',
  }),
  markup: markupSchema.default('keep'),
}).meta({ id: 'SpeechRequest', examples: [{ model: 'tts-1', input: 'Good morning.', voice: 'alloy' }] })

/** One `data:` line of speech as server-sent events; `speech.audio.done` is the last one. */
export const speechEventSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('speech.audio.delta'),
      audio: z.string().meta({ description: 'The next bytes of the audio, in base64.' }),
    }),
    z.object({
      type: z.literal('speech.audio.done'),
      usage: z.object({
        input_tokens: z.int().min(0).meta({ description: 'Characters of the input.' }),
        output_tokens: z.int().min(0).meta({ description: 'Frames of 20 ms that were spoken.' }),
        total_tokens: z.int().min(0),
      }),
    }),
  ])
  .meta({ id: 'SpeechEvent' })
export type SpeechEvent = z.output<typeof speechEventSchema>
