import { describe, expect, test } from 'vitest'
import { SPOKEN_LANGUAGES } from './languages/index.ts'
import type { Rule } from './rules/rule.ts'
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

/** Names the rules that change a text; what it becomes does not depend on the others. */
function actingRules(text: string, language: string): ReadonlySet<string> {
  const acting = new Set<string>()
  const watched = Object.entries(RULES).map(([name, rule]): Rule => (spoken, ofLanguage) => {
    const said = rule(spoken, ofLanguage)
    if (said !== spoken) acting.add(name)
    return said
  })
  for (const sentence of sentencesOf(text, language))
    speakSentence(asWritten(sentence), { language }, watched)
  return acting
}

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
    const neededBy = (texts: readonly string[]) => {
      const needed = new Set<string>()
      for (const text of texts)
        for (const rule of actingRules(text, language))
          if (!needed.has(rule) && speakWithout(rule, text, language) !== speak(text)) needed.add(rule)
      return needed
    }
    const neededByTwins = neededBy(rows.map(([text]) => text))
    const missing = [...neededBy(Object.keys(CASES[language] ?? {}))].filter(
      (rule) => !neededByTwins.has(rule),
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
