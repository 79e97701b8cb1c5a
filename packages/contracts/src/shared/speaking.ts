/** Schemas and values shared by streaming speech, synthesis and hosted models. */
import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { lineSchema } from './text.ts'

export const EMOTIONS = ['neutral', 'friendly', 'professional', 'excited', 'calm', 'warm'] as const
export type Emotion = (typeof EMOTIONS)[number]
export const emotionSchema = z
  .enum(EMOTIONS)
  .meta({ description: 'Emotion of the voice; changes its pitch, pitch range, rate and energy.' })

export const speedSchema = z.number().min(LIMITS.speedMin).max(LIMITS.speedMax)
export const MARKUPS = ['keep', 'strip'] as const
/** What is spoken of a text that a language model may have written. */
export const markupSchema = z.enum(MARKUPS).meta({
  description:
    '`strip` leaves out the signs of Markdown, its blocks of code and the commands of LaTeX; `keep` speaks them as text. All other markup, such as SSML, is always text.',
})
/** Description of a text, wherever `markup` goes with it. */
export const SPOKEN_TEXT = 'Text to speak. Markup in it is never obeyed; see `markup`.'
/** Name of a built-in voice, or the id of a cloned one. */
export const voiceSchema = lineSchema.min(1).max(64)

/** The languages that the specification lists. */
export const LISTED_LANGUAGES = [
  'en-US',
  'en-GB',
  'en-AU',
  'ne-NP',
  'hi-IN',
  'fr-FR',
  'fr-CA',
  'sw-KE',
  'sw-TZ',
  'ja-JP',
  'es-ES',
  'es-MX',
  'de-DE',
  'pt-BR',
  'pt-PT',
  'zh-CN',
  'zh-TW',
  'ar-SA',
  'ru-RU',
] as const
