import load from '@echogarden/espeak-ng-emscripten'
import { LANGUAGES, VOICES } from '../src/languages.ts'
import { separateKana, toMarkup } from '../src/to-markup.ts'

/** Returns the language of the engine for a tag such as `en-IN`, whose rules it has and whose voice it lacks. */
export const voiceTag = (language: string): string => {
  const [base] = language.split('-')
  const tags = LANGUAGES.map(({ tag }) => tag)
  return tags.find((tag) => tag === language) ?? tags.find((tag) => tag.startsWith(`${base}-`)) ?? language
}

/** Changes of language within a text, such as `(en)`, and stress, which depends on what stands beside a word. */
const NO_PHONEMES = /\([a-z-]+\)|[ˈˌ]/g

/** Returns a function that lists the phonemes of a text as the engine would say it, without stress and pauses. */
export async function loadPhonemes(voice: string): Promise<(text: string, language: string) => string[]> {
  // The module keeps addresses of its own for `synthesize_ipa`, so its memory can't be restored as `loadEspeak` does.
  const module = await load({ thisProgram: 'espeak-ng' })
  const engine = new module.eSpeakNGWorker()
  const encoder = new TextEncoder()
  return (text, language) => {
    const espeak = LANGUAGES.find(({ tag }) => tag === voiceTag(language))?.espeak
    // Also forgets what the last text has changed.
    if (espeak === undefined || engine.set_voice(`${espeak}+${VOICES[voice]?.name}`, '') !== 0)
      throw new Error(`The engine has no voice ${voice} for ${language}`)
    const markup = toMarkup(language === 'ja-JP' ? separateKana(text) : text)
    const bytes = encoder.encode(`${markup}\0`)
    const ptr = module._malloc(bytes.length)
    module.HEAPU8.set(bytes, ptr)
    const { code, ipa } = engine.synthesize_ipa({ ptr })
    if (code !== 0) throw new Error(`The engine has no phonemes of: ${text}`)
    return ipa
      .replaceAll(NO_PHONEMES, '')
      .split(/[\s_]+/)
      .filter(Boolean)
  }
}
