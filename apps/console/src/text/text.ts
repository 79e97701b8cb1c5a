import { en, type Texts } from './en.ts'

interface Language {
  /** As it is called in itself. */
  readonly name: string
  readonly load: () => Promise<Texts>
}

// English is in the first load, and others come if they are wanted. Texts import nothing that waits for these texts.
const LANGUAGES: Readonly<Record<string, Language>> = {
  en: { name: 'English', load: async () => en },
  ne: { name: 'नेपाली', load: async () => (await import('./ne.ts')).ne },
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
/** What the console says, in the language that the person chose, or that the browser asks for. */
export const t: Texts = (await LANGUAGES[language]?.load()) ?? en
document.documentElement.lang = language

/** The languages that can be chosen. */
export const languages = Object.entries(LANGUAGES).map(([tag, { name }]) => ({ tag, name }))

/** Chooses a language, and loads the page again in it. */
export function chooseLanguage(tag: string): void {
  localStorage.setItem(STORED_AS, tag)
  location.reload()
}
