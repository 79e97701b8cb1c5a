/** Languages by the scripts that name one. Hindi has the most speakers of those that are written in Devanagari. */
const LANGUAGES = [
  { language: 'hi-IN', script: /\p{sc=Deva}/u },
  { language: 'ar-SA', script: /\p{sc=Arab}/u },
  { language: 'ru-RU', script: /\p{sc=Cyrl}/u },
  { language: 'zh-CN', script: /\p{sc=Han}/u },
] as const
const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u
const JAPANESE = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u
const OTHERWISE = 'en-US'

/**
 * Returns the language of the script that most letters of a text are in, for text whose language was not given.
 *
 * @example
 * languageOfScript('नमस्ते team') // 'hi-IN'
 */
export function languageOfScript(text: string): string {
  const letters = text.match(/\p{L}/gu) ?? []
  const isMostly = (script: RegExp): boolean =>
    letters.filter((letter) => script.test(letter)).length > letters.length / 2
  // Japanese mixes Kana with Han, and Chinese has no Kana.
  if (KANA.test(text) && isMostly(JAPANESE)) return 'ja-JP'
  return LANGUAGES.find(({ script }) => isMostly(script))?.language ?? OTHERWISE
}
