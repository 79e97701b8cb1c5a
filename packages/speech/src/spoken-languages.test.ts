import { expect, test } from 'vitest'
import type { EngineLanguage, SpeechEngine } from './engine.ts'
import { spokenLanguages, supportedLanguage } from './spoken-languages.ts'
import { streamSpeech } from './stream/stream-speech.ts'
import { createToneEngine } from './tone.ts'

const native = (tag: string): EngineLanguage => ({ tag, quality: 'native' })

function speaking(...languages: EngineLanguage[]): SpeechEngine {
  const tone = createToneEngine({ languages: languages.map(({ tag }) => tag) })
  return { ...tone, capabilities: () => ({ ...tone.capabilities(), languages }) }
}

const ENGINE = speaking(
  ...[
    'en-US',
    'en-GB',
    'hi-IN',
    'pa-IN',
    'fr-CA',
    'fr-FR',
    'sw-KE',
    'es-ES',
    'es-MX',
    'de-DE',
    'pt-BR',
    'pt-PT',
  ].map(native),
  { tag: 'en-AU', quality: 'fallback', note: 'Spoken with a British accent' },
  native('zh-CN'),
  { tag: 'zh-TW', quality: 'fallback', note: 'Spoken with the accent of the mainland' },
  { tag: 'ar-SA', quality: 'degraded', note: 'Without short vowels' },
  native('sr-RS'),
)
const accentOf = (tag: string, engine = ENGINE) => supportedLanguage(engine, tag)?.accent

test.each([
  ['en-IN', 'en-GB'],
  ['en-ZA', 'en-GB'],
  ['en-IE', 'en-GB'],
  ['en-NZ', 'en-GB'],
  ['EN-ca', 'en-US'],
  ['en-PH', 'en-US'],
  ['de-AT', 'de-DE'],
  ['de-CH', 'de-DE'],
  ['fr-CH', 'fr-FR'],
  ['es-AR', 'es-MX'],
  ['es-419', 'es-MX'],
  ['es-GQ', 'es-ES'],
  ['pt-AO', 'pt-PT'],
  ['sw-UG', 'sw-KE'],
  ['zh-SG', 'zh-CN'],
])('%s is spoken with the accent of %s', (tag, accent) => {
  const [wanted] = Intl.getCanonicalLocales(tag)
  expect(supportedLanguage(ENGINE, tag)).toEqual({
    tag: wanted,
    accent,
    quality: 'fallback',
    note: `Spoken with the accent of ${accent}`,
  })
})

test('a tag of a row, whatever its case, variants and extensions, is that row', () => {
  for (const tag of ['en-GB', 'EN-gb', 'en-GB-oxendict', 'en-Latn-GB', 'en-GB-u-ca-buddhist'])
    expect(supportedLanguage(ENGINE, tag)).toEqual({ tag: 'en-GB', accent: 'en-GB', quality: 'native' })
  expect(supportedLanguage(ENGINE, 'en-AU')).toMatchObject({
    quality: 'fallback',
    note: 'Spoken with a British accent',
  })
  expect([accentOf('pt'), accentOf('fr'), accentOf('zh'), accentOf('zh-Hant'), accentOf('cmn-TW')]).toEqual([
    'pt-BR',
    'fr-CA',
    'zh-CN',
    'zh-TW',
    'zh-TW',
  ])
})

// Cantonese, other scripts, other languages, and what is no tag.
test.each([
  'zh-HK',
  'zh-Hant-MO',
  'zh-Hans-HK',
  'yue-HK',
  'pa-PK',
  'hi-Latn',
  'sr-Latn',
  'zh-Latn-pinyin',
  'gsw-CH',
  'arz-EG',
  'tlh',
  'klingon',
  'en_IN',
  '',
])('%s is not spoken as something else', (tag) => {
  expect(supportedLanguage(ENGINE, tag)).toBeUndefined()
})

test('a region keeps what its accent lacks', () => {
  expect(supportedLanguage(ENGINE, 'ar-EG')).toMatchObject({
    quality: 'degraded',
    note: 'Without short vowels. Spoken with the accent of ar-SA',
  })
  const american = speaking(native('en-US'), {
    tag: 'en-GB',
    quality: 'fallback',
    note: 'Spoken with an American accent',
  })
  expect(supportedLanguage(american, 'en-IN')).toMatchObject({ note: 'Spoken with the accent of en-US' })
  const lent = speaking({ tag: 'en-GB', quality: 'fallback', note: 'Spoken with an American accent' })
  expect(supportedLanguage(lent, 'en-IN')).toMatchObject({
    quality: 'fallback',
    note: 'Spoken with an American accent',
  })
  expect(accentOf('en-IN', speaking(native('en-US')))).toBe('en-US')
  expect(accentOf('sr-Latn-ME', speaking(native('sr-RS'), native('sr-Latn-RS')))).toBe('sr-Latn-RS')
})

test('regions are listed after the rows of the engine, each once', () => {
  const rows = [...spokenLanguages(ENGINE)]
  const tags = rows.map(({ tag }) => tag)
  expect(tags.slice(0, 3)).toEqual(['en-US', 'en-GB', 'hi-IN'])
  expect(new Set(tags).size).toBe(tags.length)
  expect(tags).toEqual(
    expect.arrayContaining(['en-IN', 'en-ZA', 'de-AT', 'fr-BE', 'es-CO', 'es-419', 'pt-MZ']),
  )
  for (const tag of ['zh-HK', 'pa-PK', 'en-QQ']) expect(tags).not.toContain(tag)
  for (const row of rows) expect(supportedLanguage(ENGINE, row.tag)).toEqual(row)
})

test('an engine hears its own tag, and the text by the rules of the region', async () => {
  const heard: unknown[] = []
  const engine: SpeechEngine = {
    ...ENGINE,
    async *synthesize(request, options) {
      heard.push([request.language, request.text])
      yield* ENGINE.synthesize(request, options)
    },
  }
  const words = { voice: 'nova', emotion: 'neutral', speed: 1 } as const
  await Array.fromAsync(streamSpeech({ engine, text: '3/4/2025', language: 'en-IN', ...words }))
  await Array.fromAsync(streamSpeech({ engine, text: '$1.000', language: 'es-AR', ...words }))
  expect(heard).toEqual([
    ['en-GB', 'the 3rd of April 20 25'],
    ['es-MX', '1000 pesos'],
  ])
})
