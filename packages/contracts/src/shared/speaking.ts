/** Shapes and values that streaming speech, synthesis and hosted models share. */
import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { lineSchema } from './text.ts'

export const EMOTIONS = ['neutral', 'friendly', 'professional', 'excited', 'calm', 'warm'] as const
export type Emotion = (typeof EMOTIONS)[number]
export const emotionSchema = z.enum(EMOTIONS).meta({ description: 'Prosody: pitch, range, rate and energy.' })

export const speedSchema = z.number().min(LIMITS.speedMin).max(LIMITS.speedMax)
/** Name of a voice, or the id of a cloned one. */
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
