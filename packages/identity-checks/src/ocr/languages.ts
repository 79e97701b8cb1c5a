import { createRequire } from 'node:module'
import path from 'node:path'
import { createEngineRequire } from '../engine/optional-packages.ts'

/** Codes of the language data by tag. The data of each is a package, `@tesseract.js-data/<code>`. */
const CODES: Readonly<Record<string, string>> = {
  ar: 'ara',
  bn: 'ben',
  de: 'deu',
  el: 'ell',
  en: 'eng',
  es: 'spa',
  fa: 'fas',
  fr: 'fra',
  gu: 'guj',
  he: 'heb',
  hi: 'hin',
  id: 'ind',
  it: 'ita',
  ja: 'jpn',
  kn: 'kan',
  ko: 'kor',
  ml: 'mal',
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
  zh: 'chi_sim',
}

/** Folder within the packages: integers made of the best models, as accurate as these and twice as fast. */
const VARIANT = '4.0.0_best_int'

const own = createRequire(import.meta.url)
let searched: readonly NodeJS.Require[] = [own, createEngineRequire(undefined)]
let installed: readonly string[] | undefined

/**
 * Sets the directory in which an operator installs language data, besides that of this package, for the whole process.
 *
 * @param directory by default that of the process
 */
export function useLanguageData(directory: string | undefined): void {
  searched = [own, createEngineRequire(directory)]
  installed = undefined
}

/** Returns the package of a language's data; undefined for a language that is not known. */
export function languagePackage(tag: string): string | undefined {
  const code = CODES[languageOf(tag) ?? '']
  return code === undefined ? undefined : packageOf(code)
}

const packageOf = (code: string): string => `@tesseract.js-data/${code}`

/** Returns the folder of a language's data; undefined if its package is not installed. */
export function findLanguageData(code: string): string | undefined {
  for (const { resolve } of searched)
    try {
      return path.join(path.dirname(resolve(`${packageOf(code)}/package.json`)), VARIANT)
    } catch {
      // The next directory may have it.
    }
  return undefined
}

/**
 * Returns the tags of the languages that can be read: those whose data is installed.
 *
 * @example
 * ocrLanguages() // ['en', 'hi', 'ne']
 */
export function ocrLanguages(): readonly string[] {
  installed ??= Object.keys(CODES).filter((tag) => findLanguageData(CODES[tag] ?? '') !== undefined)
  return installed
}

/** Returns the tags of the known languages that are written in a script, by its code in ISO 15924. */
export const languagesIn = (script: string): readonly string[] =>
  Object.keys(CODES).filter((tag) => scriptOf(tag) === script)

/** Returns the codes of the scripts of language data. */
export function scriptsOf(codes: readonly string[]): ReadonlySet<string | undefined> {
  return new Set(
    Object.entries(CODES)
      .filter(([, code]) => codes.includes(code))
      .map(([tag]) => scriptOf(tag)),
  )
}

/** Returns the scripts of installed language data that others do not have, by their codes in ISO 15924, each with the code of its first data. */
export function dataInOtherScripts(codes: readonly string[]): ReadonlyMap<string, string> {
  const asked = scriptsOf(codes)
  const others = new Map<string, string>()
  for (const tag of ocrLanguages()) {
    const [script, code] = [scriptOf(tag), CODES[tag]]
    if (script !== undefined && code !== undefined && !asked.has(script) && !others.has(script))
      others.set(script, code)
  }
  return others
}

const scriptOf = (tag: string): string | undefined => new Intl.Locale(tag).maximize().script

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
