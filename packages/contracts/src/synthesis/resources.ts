import { z } from 'zod'
import { languageSchema, spokenTextSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'
import { emotionSchema, markupSchema, speedSchema, SPOKEN_TEXT, voiceSchema } from '../shared/speaking.ts'

export const SYNTHESIS_MODELS = ['synth-v1', 'synth-l1', 'synth-l2'] as const
export type SynthesisModel = (typeof SYNTHESIS_MODELS)[number]
export const AUDIO_FORMATS = ['wav', 'mp3', 'ogg'] as const
export const SYNTHESIS_SAMPLE_RATES_HZ = [16_000, 22_050, 44_100] as const
export const SYNTHESIS_DESCRIPTOR_HEADER = 'x-synthesis-descriptor'

/** Voices of the synthesis models. */
export const SYNTHESIS_VOICES = ['default', 'alt1', 'alt2'] as const

export const synthesisModelSchema = z.enum(SYNTHESIS_MODELS).meta({
  description:
    '`synth-v1` is high-fidelity and multilingual, `synth-l1` lightweight and `synth-l2` ultra-lightweight.',
})

export const synthesizeSchema = z
  .strictObject({
    text: described(spokenTextSchema(LIMITS.synthesisTextCharacters), SPOKEN_TEXT),
    model: synthesisModelSchema,
    language: described(languageSchema, 'Language of the text.').default('en-US'),
    markup: markupSchema.default('keep'),
    voice: z
      .union([z.enum(SYNTHESIS_VOICES), voiceSchema])
      .default('default')
      .meta({
        description: '`default`, `alt1`, `alt2` or the id of a cloned voice.',
      }),
    emotion: emotionSchema.default('neutral'),
    speaking_rate: described(speedSchema, 'Rate of speech.').default(1),
    pitch_shift: z.number().min(LIMITS.pitchShiftMin).max(LIMITS.pitchShiftMax).default(0).meta({
      description: 'From -1 (six semitones down) to 1 (six semitones up).',
    }),
    format: z.enum(AUDIO_FORMATS).default('wav').meta({ description: 'Format of the audio file.' }),
    sample_rate: z
      .literal(SYNTHESIS_SAMPLE_RATES_HZ)
      .default(22_050)
      .meta({ description: 'Sample rate of the audio in Hz.' }),
    enable_watermark: z.boolean().default(true).meta({
      description:
        'Whether to mark the audio inaudibly, so that `/v1/engine/watermark/detect` finds its request. Each request has its own mark.',
    }),
  })
  .meta({ id: 'SynthesizeRequest', examples: [{ model: 'synth-v1', text: 'Good morning.' }] })

export const synthesisDescriptorSchema = z
  .object({
    request_id: z.string(),
    model: z.enum(SYNTHESIS_MODELS),
    voice: z.string(),
    language: z.string(),
    format: z.enum(AUDIO_FORMATS),
    sample_rate_hz: z.literal(SYNTHESIS_SAMPLE_RATES_HZ),
    duration_seconds: z.number().min(0),
    characters: z.number().int().min(0),
    watermark: z.boolean().meta({
      description:
        'Whether the audio is marked. Its request can be found from about three seconds of speech on.',
    }),
    audio_b64: z
      .string()
      .optional()
      .meta({ description: 'The audio as base64, if the request accepts `application/json`.' }),
  })
  .meta({ id: 'SynthesisDescriptor' })
export type SynthesisDescriptor = z.output<typeof synthesisDescriptorSchema>

export const engineStreamSchema = z
  .strictObject({
    model: synthesisModelSchema,
    input: described(spokenTextSchema(LIMITS.streamInputCharacters), SPOKEN_TEXT),
    voice: described(voiceSchema, '`default`, `alt1`, `alt2` or the id of a cloned voice.').default(
      'default',
    ),
    emotion: emotionSchema.default('neutral'),
    speed: described(speedSchema, 'Rate of speech.').default(1),
    language: described(languageSchema, 'Language of the text.').default('en-US'),
    markup: markupSchema.default('keep'),
  })
  .meta({ id: 'EngineStreamRequest', examples: [{ model: 'synth-v1', input: 'Good morning.' }] })

export const LANGUAGE_QUALITIES = ['native', 'fallback', 'degraded'] as const
export const engineLanguagesSchema = z
  .object({
    engine: z
      .string()
      .meta({ description: 'Id of the running engine; `router` if several engines share the languages.' }),
    data: z.array(
      z.object({
        language: z.string().meta({ examples: ['ne-NP'] }),
        quality: z.enum(LANGUAGE_QUALITIES).meta({
          description:
            '`native`; `fallback`: spoken with a neighbouring accent; `degraded`: parts are misread.',
        }),
        note: z.string().optional().meta({ description: 'What is missing, if the quality is not `native`.' }),
        text_rules: z.boolean().meta({
          description:
            'Whether numbers, dates, amounts, units and abbreviations are put into words by rules of the language. Where they are not, the engine reads them in its own way.',
        }),
        engine: z.string().optional().meta({
          description:
            'Name of the engine that speaks the language, if several engines share the languages. Another one may speak while it is unavailable.',
        }),
        voices: z.array(z.string()).optional().meta({
          description: 'Voices that speak the language, if not all do.',
        }),
      }),
    ),
  })
  .meta({ id: 'EngineLanguages' })
