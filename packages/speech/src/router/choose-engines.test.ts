import { expect, test } from 'vitest'
import type { EngineCapabilities } from '../engine.ts'
import { chooseEngines, hasChoice, listLanguages, type SpeechRoute } from './choose-engines.ts'

const engine = (
  languages: EngineCapabilities['languages'],
  voices: readonly string[] = ['nova', 'atlas'],
): EngineCapabilities => ({ languages, voices, sampleRateHz: 16_000 })
const native = (tag: string, voices?: readonly string[]) => ({
  tag,
  quality: 'native' as const,
  ...(voices && { voices }),
})

const ENGINES = new Map([
  ['vendor', engine([native('en-US'), native('en-GB'), native('fr-FR', ['nova'])])],
  ['local', engine([native('ne-NP')], ['nova'])],
  [
    'embedded',
    engine([native('en-US'), native('ne-NP'), { ...native('fr-FR'), quality: 'degraded', note: 'Flat' }]),
  ],
])
const ROUTES: readonly SpeechRoute[] = [
  { languages: ['ne'], engines: ['local', 'embedded'] },
  { languages: ['en-GB'], voices: ['atlas'], engines: ['embedded'] },
  { engines: ['vendor', 'embedded'] },
]
const choose = (language: string, voice: string) => chooseEngines(ROUTES, ENGINES, { language, voice })

test('the first row that fits decides, and leaves out engines that do not speak the language in the voice', () => {
  expect(choose('ne-NP', 'nova')).toEqual(['local', 'embedded'])
  expect(choose('ne-NP', 'atlas')).toEqual(['embedded'])
  expect(choose('en-US', 'nova')).toEqual(['vendor', 'embedded'])
  expect(choose('en-GB', 'nova')).toEqual(['vendor'])
  expect(choose('en-GB', 'atlas')).toEqual([])
  expect(choose('fr-FR', 'atlas')).toEqual(['embedded'])
  expect(choose('tlh-QO', 'nova')).toEqual([])
})

test('a primary language fits its regions only', () => {
  const routes = [{ languages: ['NE'], engines: ['local'] }]
  expect(chooseEngines(routes, ENGINES, { language: 'ne-NP', voice: 'nova' })).toEqual(['local'])
  expect(
    chooseEngines([{ languages: ['n'], engines: ['local'] }], ENGINES, { language: 'ne-NP', voice: 'nova' }),
  ).toEqual([])
})

test('lists each language once, with the quality of the engine that speaks it and the voices that it has', () => {
  expect(listLanguages(ROUTES, ENGINES)).toEqual([
    { tag: 'en-US', quality: 'native', engine: 'vendor' },
    { tag: 'en-GB', quality: 'native', engine: 'vendor', voices: ['nova'] },
    { tag: 'fr-FR', quality: 'native', engine: 'vendor' },
    { tag: 'ne-NP', quality: 'native', engine: 'local' },
  ])
  expect(listLanguages([{ engines: ['embedded'] }], ENGINES).find(({ tag }) => tag === 'fr-FR')).toEqual({
    tag: 'fr-FR',
    quality: 'degraded',
    note: 'Flat',
    engine: 'embedded',
  })
})

test('there is a choice as soon as two engines may speak one language in one voice', () => {
  expect(hasChoice(ROUTES, ENGINES)).toBe(true)
  const apart = [
    { languages: ['ne'], engines: ['local'] },
    { languages: ['en'], engines: ['vendor'] },
  ]
  expect(hasChoice(apart, ENGINES)).toBe(false)
  expect(hasChoice([...apart, { voices: ['atlas'], engines: ['vendor', 'embedded'] }], ENGINES)).toBe(false)
  expect(hasChoice([...apart, { voices: ['nova'], engines: ['vendor', 'embedded'] }], ENGINES)).toBe(true)
})
