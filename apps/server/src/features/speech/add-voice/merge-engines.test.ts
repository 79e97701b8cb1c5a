import { expect, test } from 'vitest'
import type { EnginesInput } from '../engines-file.ts'
import { mergeEngine, orderFor } from './merge-engines.ts'

const entry = { type: 'sherpa' as const, models: [] }
const FLITE = { type: 'flite' as const }
const ESPEAK = { type: 'espeak' as const }
const OWN = { type: 'sherpa' as const, models: [], threads: 2 }
const merge = (file: EnginesInput, ...languages: string[]) =>
  mergeEngine(file, { name: 'new', entry, languages })

test('without routes, the new engine is after those of the operator and before the embedded ones', () => {
  const { engines, routes } = merge({ engines: { own: OWN, flite: FLITE, espeak: ESPEAK } }, 'en-US')
  expect(Object.keys(engines)).toEqual(['own', 'new', 'flite', 'espeak'])
  expect(engines['own']).toBe(OWN)
  expect(routes).toBeUndefined()
  expect(Object.keys(merge({ engines: { own: OWN } }, 'en-US').engines)).toEqual(['own', 'new'])
  expect(Object.keys(merge({ engines: {} }, 'en-US').engines)).toEqual(['new'])
})

const engines = { own: OWN, flite: FLITE, espeak: ESPEAK }

test.each<[string, string[], EnginesInput['routes'], EnginesInput['routes']]>([
  [
    'the row of its language',
    ['en-US', 'en-GB'],
    [{ languages: ['EN'], engines: ['own', 'flite'] }, { engines: ['espeak'] }],
    [{ languages: ['EN'], engines: ['own', 'new', 'flite'] }, { engines: ['espeak'] }],
  ],
  [
    'the first row that fits, and rows for some voices before it',
    ['ne-NP'],
    [
      { languages: ['n', 'en'], engines: ['flite'] },
      { voices: ['nova'], engines: ['own'] },
      { engines: ['espeak'] },
      { engines: ['flite'] },
    ],
    [
      { languages: ['n', 'en'], engines: ['flite'] },
      { voices: ['nova'], engines: ['own', 'new'] },
      { engines: ['new', 'espeak'] },
      { engines: ['flite'] },
    ],
  ],
  [
    'a row of its own for languages that no row fits in all voices',
    ['en-US', 'ne-NP', 'uk-UA'],
    [
      { languages: ['en-US'], engines: ['flite'] },
      { languages: ['ne'], voices: ['nova'], engines: ['espeak'] },
    ],
    [
      { languages: ['en-US'], engines: ['new', 'flite'] },
      { languages: ['ne'], voices: ['nova'], engines: ['new', 'espeak'] },
      { languages: ['ne-NP', 'uk-UA'], engines: ['new'] },
    ],
  ],
])('with routes, it is in %s', (_, languages, routes, expected) => {
  const merged = merge({ engines, routes }, ...languages)
  expect(merged.routes).toEqual(expected)
  for (const language of languages) expect(orderFor(merged, language)).toContain('new')
})
