import { describe, expect, test } from 'vitest'
import { SPOKEN_LANGUAGES } from './languages/index.ts'
import { sentencesOf } from './sentences.ts'
import { asWritten } from './spoken-text.ts'
import cases from './test/spoken-text.json' with { type: 'json' }
import twins from './test/spoken-twins.json' with { type: 'json' }
import { RULES, speakSentence, toSpokenText } from './to-spoken-text.ts'

// A twin is what a native speaker says, spelled out. Unlike the rows of spoken-text.json, it is not what our rules make of
// the text, so `pnpm bench spoken` compares both by what the engine makes of them.
const TWINS: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = twins
const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = cases

const CLASSES = new Set(
  (
    'abbreviations,acronyms,addresses,codes,counters,dates,emoji,fractions,initials,money,money with scales,numbers,' +
    'ordinals,phones,ranges,symbols,times,units,versions,writing,years'
  ).split(','),
)

const speakWithout = (rule: string, text: string, language: string): string => {
  const rules = Object.entries(RULES).flatMap(([name, one]) => (name === rule ? [] : [one]))
  return [...sentencesOf(text, language)]
    .map((sentence) => speakSentence(asWritten(sentence), { language }, rules).text)
    .join('')
}

test('there are twins for every language, in known classes', () => {
  expect(Object.keys(TWINS).toSorted()).toEqual(SPOKEN_LANGUAGES.toSorted())
  const classes = Object.values(TWINS).flatMap((ofLanguage) => Object.keys(ofLanguage))
  expect(classes.filter((name) => !CLASSES.has(name))).toEqual([])
})

describe.each(SPOKEN_LANGUAGES)('%s', (language) => {
  const rows = Object.values(TWINS[language] ?? {}).flatMap((ofClass) => Object.entries(ofClass))
  const speak = (text: string) => toSpokenText(text, { language }).text

  test('each rule that speaks a case has a twin', () => {
    const isNeeded = (rule: string, texts: readonly string[]) =>
      texts.some((text) => speakWithout(rule, text, language) !== speak(text))
    const written = rows.map(([text]) => text)
    const missing = Object.keys(RULES).filter(
      (rule) => isNeeded(rule, Object.keys(CASES[language] ?? {})) && !isNeeded(rule, written),
    )
    expect(missing, `Add a case and its twin to spoken-twins.json, in ${language}, for`).toEqual([])
  })

  test('twins are words alone, which the rules leave as they are', () => {
    for (const [written, twin] of rows) {
      expect(twin, written).not.toMatch(/[\p{N}\p{S}@&%#/_]/u)
      expect(speak(twin), written).toBe(twin)
    }
  })
})
