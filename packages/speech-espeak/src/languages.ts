import type { EngineLanguage } from '@vaani/speech'

interface Row extends EngineLanguage {
  /** Name of the voice's file in eSpeak NG. Combined with a variant, `en-gb` and `fr-fr` give noise and no error. */
  espeak: string
}

const native = (tag: string, espeak: string): Row => ({ tag, espeak, quality: 'native' })

/** The languages, with those of the specification first. Languages marked as not native sounded worse; a note explains how. */
export const LANGUAGES: readonly Row[] = [
  native('en-US', 'en-us'),
  native('en-GB', 'en'),
  { tag: 'en-AU', espeak: 'en', quality: 'fallback', note: 'Spoken with a British accent' },
  native('ne-NP', 'ne'),
  native('hi-IN', 'hi'),
  native('fr-FR', 'fr'),
  { tag: 'fr-CA', espeak: 'fr', quality: 'fallback', note: 'Spoken with the accent of France' },
  native('sw-KE', 'sw'),
  native('sw-TZ', 'sw'),
  {
    tag: 'ja-JP',
    espeak: 'ja',
    quality: 'degraded',
    note: 'Kana only: each kanji is read as the words for Chinese letter',
  },
  native('es-ES', 'es'),
  native('es-MX', 'es-419'),
  native('de-DE', 'de'),
  native('pt-BR', 'pt-br'),
  native('pt-PT', 'pt'),
  native('zh-CN', 'cmn'),
  { tag: 'zh-TW', espeak: 'cmn', quality: 'fallback', note: 'Spoken with the accent of the mainland' },
  {
    tag: 'ar-SA',
    espeak: 'ar',
    quality: 'degraded',
    note: 'Text without vowel marks loses its short vowels',
  },
  native('ru-RU', 'ru'),
  native('bn-BD', 'bn'),
  native('cs-CZ', 'cs'),
  native('da-DK', 'da'),
  native('el-GR', 'el'),
  native('fi-FI', 'fi'),
  native('gu-IN', 'gu'),
  native('hu-HU', 'hu'),
  native('id-ID', 'id'),
  native('it-IT', 'it'),
  native('ko-KR', 'ko'),
  native('mr-IN', 'mr'),
  native('nl-NL', 'nl'),
  native('pa-IN', 'pa'),
  native('pl-PL', 'pl'),
  native('ro-RO', 'ro'),
  native('sv-SE', 'sv'),
  native('ta-IN', 'ta'),
  native('te-IN', 'te'),
  native('tr-TR', 'tr'),
  native('uk-UA', 'uk'),
  native('ur-PK', 'ur'),
  native('vi-VN', 'vi'),
]

/** A voice: a variant of eSpeak NG. */
export interface VoiceVariant {
  name: string
  /** Lowest and highest pitch in Hz, as in the line `pitch` of the variant's file, which overrides that of every language. */
  pitchHz: readonly [low: number, high: number]
}

/** The voices, each with a pitch of its own: nova, default and alt2 are female, atlas and alt1 male. */
export const VOICES: Readonly<Record<string, VoiceVariant>> = {
  nova: { name: 'f3', pitchHz: [140, 240] },
  atlas: { name: 'm3', pitchHz: [80, 122] },
  default: { name: 'f2', pitchHz: [142, 220] },
  alt1: { name: 'm1', pitchHz: [75, 109] },
  alt2: { name: 'f5', pitchHz: [160, 228] },
}
