import { createRequire } from 'node:module'
import path from 'node:path'

/** Codes of the language data by tag. The data of each is a package, `@tesseract.js-data/<code>`. */
const CODES: Readonly<Record<string, string>> = {
  ar: 'ara',
  bn: 'ben',
  de: 'deu',
  en: 'eng',
  es: 'spa',
  fr: 'fra',
  gu: 'guj',
  hi: 'hin',
  id: 'ind',
  it: 'ita',
  ja: 'jpn',
  ko: 'kor',
  mr: 'mar',
  ne: 'nep',
  nl: 'nld',
  pa: 'pan',
  pl: 'pol',
  pt: 'por',
  ru: 'rus',
  sa: 'san',
  ta: 'tam',
  te: 'tel',
  th: 'tha',
  tr: 'tur',
  uk: 'ukr',
  ur: 'urd',
  vi: 'vie',
}

/** Folder within the packages: integers made of the best models, as accurate as these and twice as fast. */
const VARIANT = '4.0.0_best_int'

const { resolve } = createRequire(import.meta.url)

/** Returns the folder of a language's data; undefined if its package is not installed. */
export function findLanguageData(code: string): string | undefined {
  try {
    return path.join(path.dirname(resolve(`@tesseract.js-data/${code}/package.json`)), VARIANT)
  } catch {
    return undefined
  }
}

let installed: readonly string[] | undefined

/**
 * Returns the tags of the languages that can be read: those whose data is installed beside this package.
 *
 * @example
 * ocrLanguages() // ['en', 'hi', 'ne']
 */
export function ocrLanguages(): readonly string[] {
  installed ??= Object.keys(CODES).filter((tag) => findLanguageData(CODES[tag] ?? '') !== undefined)
  return installed
}

/**
 * Returns the codes of the language data for a BCP-47 tag, or several joined by `+`, most important first. Returns
 * undefined if one cannot be read. Regions count nothing: `ne-NP` is `ne`.
 */
export function toLanguageCodes(language: string): readonly string[] | undefined {
  const tags = language.split('+').map(languageOf)
  if (tags.length > MAX_LANGUAGES || !tags.every((tag) => tag !== undefined && ocrLanguages().includes(tag)))
    return undefined
  return [...new Set(tags)].map((tag) => CODES[tag ?? ''] ?? '')
}

/** Each adds its time and memory to every page. */
const MAX_LANGUAGES = 3

function languageOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return undefined
  }
}
