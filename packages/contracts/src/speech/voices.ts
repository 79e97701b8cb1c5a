import { z } from 'zod'
import { idPattern } from '../shared/ids.ts'

export const EMOTIONS = ['neutral', 'friendly', 'professional', 'excited', 'calm', 'warm'] as const
export type Emotion = (typeof EMOTIONS)[number]
export const emotionSchema = z.enum(EMOTIONS).meta({ description: 'Prosody: pitch, range, rate and energy.' })

/** Voices of the streaming model. */
export const STREAM_VOICES = ['nova', 'atlas'] as const
export type StreamVoice = (typeof STREAM_VOICES)[number]
export const DEFAULT_STREAM_VOICE: StreamVoice = 'nova'

/** Voices of the synthesis models. */
export const SYNTHESIS_VOICES = ['default', 'alt1', 'alt2'] as const

/** Whether a voice has the form of a cloned voice's id. */
export const isClonedVoiceId = (voice: string): boolean => idPattern('voice').test(voice)

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
