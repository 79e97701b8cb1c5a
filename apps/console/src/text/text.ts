import { en, type Texts } from './en.ts'
import { ne } from './ne.ts'

const LANGUAGES: Readonly<Record<string, Texts>> = { en, ne }
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
/** What the console says, in the language that the person chose, or that the browser asks for. */
export const t: Texts = LANGUAGES[language] ?? en
document.documentElement.lang = language

/** The languages that can be chosen. */
export const languages = Object.entries(LANGUAGES).map(([tag, { name }]) => ({ tag, name }))

/** Chooses a language, and loads the page again in it. */
export function chooseLanguage(tag: string): void {
  localStorage.setItem(STORED_AS, tag)
  location.reload()
}
