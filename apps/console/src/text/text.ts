import { enManner } from './en-manner.ts'
import { en, type Texts } from './en.ts'
import { createFormats, type Manner } from './formats.ts'
import type { Sentences } from './sentences.ts'

interface Spoken {
  readonly texts: Texts
  readonly manner: Manner
  /** Null for English, which the server speaks itself. */
  readonly sentences: Sentences | null
}
interface Language {
  /** As it is called in itself. */
  readonly name: string
  readonly load: () => Promise<Spoken>
}

const ENGLISH: Spoken = { texts: en, manner: enManner, sentences: null }

// English is in the first load, and others come if they are wanted. They import nothing of the first load, which waits for them.
const LANGUAGES: Readonly<Record<string, Language>> = {
  en: { name: 'English', load: async () => ENGLISH },
  ne: { name: 'नेपाली', load: async () => (await import('./nepali.ts')).NEPALI },
}
const STORED_AS = 'vaani-language'

const first = (): string => {
  const chosen = localStorage.getItem(STORED_AS)
  return (
    [chosen ?? '', ...navigator.languages.map((tag) => tag.split('-', 1)[0] ?? '')].find(
      (tag) => tag in LANGUAGES,
    ) ?? 'en'
  )
}

/** The language of the page, as in `lang`. */
export const language = first()
const spoken = (await LANGUAGES[language]?.load()) ?? ENGLISH
/** What the console says, in the language that the person chose, or that the browser asks for. */
export const t = { ...spoken.texts, formats: createFormats(spoken.manner) }
/** Translations of what the server says in English; null if the page is in English too. */
export const { sentences } = spoken
document.documentElement.lang = language

/** The languages that can be chosen. */
export const languages = Object.entries(LANGUAGES).map(([tag, { name }]) => ({ tag, name }))

/** Chooses a language, and loads the page again in it. */
export function chooseLanguage(tag: string): void {
  localStorage.setItem(STORED_AS, tag)
  location.reload()
}
