import {
  type EngineLanguage,
  lackingFor,
  type Manner,
  type SpeechEngine,
  type SynthesisRequest,
} from './engine.ts'
import { SpeechError } from './speech-error.ts'

/** A language as it was asked for, by whose rules a text is read. */
export interface SpokenLanguage extends EngineLanguage {
  /** Tag of the engine's language that speaks it: the same, or the nearest accent. For `SynthesisRequest`. */
  accent: string
}

/** American territories, and countries whose English is American. */
const AMERICAN_ENGLISH = new Set('AS CA FM GU LR MH MP PH PR PW UM US VI'.split(' '))
/** Where Spanish is not that of America. */
const EUROPEAN_SPANISH = new Set('EA ES GQ IC PH'.split(' '))
/** Chinese is written alike there, but read aloud in Cantonese. */
const CANTONESE = new Set(['zh-HK', 'zh-MO'])

/**
 * Finds how an engine speaks a language: with a tag without region, by its first row; with a region that has no row, by the nearest accent
 * of the language in the same script, as a `fallback` with the region's own tag. Variants and extensions of a tag don't matter
 * (RFC 4647, lookup).
 *
 * @returns undefined if the engine doesn't speak it
 */
export function supportedLanguage(engine: SpeechEngine, tag: string): SpokenLanguage | undefined {
  const { languages } = engine.capabilities()
  const exact = languages.find((row) => row.tag.toLowerCase() === tag.toLowerCase())
  if (exact !== undefined) return asListed(exact)
  const wanted = parse(tag)
  if (wanted === undefined) return undefined
  const candidates = languages.flatMap((row) => {
    const parts = partsOf(row)
    return parts?.language === wanted.language ? [{ row, ...parts }] : []
  })
  const { script, region } = likely(wanted)
  const isWhole = wanted.script === undefined && wanted.region === undefined
  const legible = isWhole ? candidates : candidates.filter((candidate) => candidate.script === script)
  const listed = legible.find((candidate) => wanted.region === undefined || candidate.region === region)
  if (listed !== undefined) return asListed(listed.row)
  if (region === undefined || CANTONESE.has(`${wanted.language}-${region}`)) return undefined
  const near = accentOf(wanted.language, region)
  // A row that is a fallback itself has the accent of another.
  const native = legible.filter(({ row }) => row.quality === 'native')
  const [nearest] = [native, legible].flatMap((some) => [
    ...some.filter((candidate) => candidate.region === near),
    ...some,
  ])
  const own = [wanted.language, wanted.script, region].filter(Boolean).join('-')
  return nearest && inAccent(own, nearest.row)
}

const asListed = (row: EngineLanguage): SpokenLanguage => ({ ...row, accent: row.tag })

/** What a row that is not native notes stays true. */
function inAccent(tag: string, row: EngineLanguage): SpokenLanguage {
  const accent = `Spoken with the accent of ${row.tag}`
  const note =
    row.quality === 'fallback' ? (row.note ?? accent) : [row.note, accent].filter(Boolean).join('. ')
  return { ...row, tag, quality: row.quality === 'native' ? 'fallback' : row.quality, note, accent: row.tag }
}

/** The region whose accent is nearest: that of the parent locale in CLDR, except for Canada and the Philippines. */
function accentOf(language: string, region: string): string | undefined {
  switch (language) {
    case 'en':
      return AMERICAN_ENGLISH.has(region) ? 'US' : 'GB'
    case 'es':
      return EUROPEAN_SPANISH.has(region) ? 'ES' : 'MX'
    case 'pt':
      return 'PT'
    default:
      return likely({ language }).region
  }
}

interface TagParts {
  language: string
  script?: string | undefined
  region?: string | undefined
}

function parse(tag: string): TagParts | undefined {
  try {
    const { language, script, region } = new Intl.Locale(tag)
    return { language, script, region }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** By tags of engines, of which there are few. */
const rowParts = new Map<string, TagParts | undefined>()

function partsOf({ tag }: EngineLanguage): TagParts | undefined {
  if (!rowParts.has(tag)) {
    const parts = parse(tag)
    rowParts.set(tag, parts && { ...parts, ...likely(parts) })
  }
  return rowParts.get(tag)
}

/** The script and the region that a tag means where it names none, by the likely subtags of CLDR. */
function likely({ language, script, region }: TagParts): Omit<TagParts, 'language'> {
  const whole = new Intl.Locale(language, {
    ...(script !== undefined && { script }),
    ...(region !== undefined && { region }),
  }).maximize()
  return { script: whole.script, region: whole.region }
}

/**
 * Lists the languages of an engine, then the regions of each that it speaks with another accent: those for which CLDR has a locale. Finding
 * them takes about a millisecond for a language once in a process, so a caller who serves others may pause after each row.
 */
export function* spokenLanguages(engine: SpeechEngine): Generator<SpokenLanguage> {
  const { languages } = engine.capabilities()
  yield* languages.map(asListed)
  const known = new Set(languages.map(({ tag }) => tag))
  for (const language of new Set(languages.map((row) => partsOf(row)?.language)))
    for (const tag of language === undefined ? [] : regionsOf(language)) {
      const row = known.has(tag) ? undefined : supportedLanguage(engine, tag)
      if (row?.tag === tag) yield row
    }
}

const regions = new Map<string, readonly string[]>()

/** Tags of a language with each region for which CLDR has a locale. */
function regionsOf(language: string): readonly string[] {
  const found = regions.get(language)
  if (found !== undefined) return found
  const tags = knownRegions()
    .map((region) => `${language}-${region}`)
    // Without such a locale, that of the language would be resolved. No other formatter is made as quickly.
    .filter((tag) => new Intl.ListFormat(tag).resolvedOptions().locale === tag)
  regions.set(language, tags)
  return tags
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Every code of ISO 3166 that may be one, and the parts of the world of UN M.49 that have locales. */
const REGIONS = [...LETTERS.flatMap((one) => LETTERS.map((other) => one + other)), '419']

let named: readonly string[] | undefined

/** The regions that CLDR has a name for. */
function knownRegions(): readonly string[] {
  if (named !== undefined) return named
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return (named = REGIONS.filter((region) => names.of(region) !== undefined))
}

/**
 * Finds how an engine speaks a language, and checks the voice and what only some engines can do.
 *
 * @throws SpeechError `language_not_supported`, `voice_not_found`, `instructions_not_supported`, `rate_not_supported`
 */
export function requireSpeaks(
  engine: SpeechEngine,
  { language: tag, voice, ...manner }: Manner & Pick<SynthesisRequest, 'language' | 'voice'>,
): SpokenLanguage {
  const language = supportedLanguage(engine, tag)
  if (language === undefined)
    throw new SpeechError('language_not_supported', 'The engine does not speak this language')
  const capabilities = engine.capabilities()
  if (!capabilities.voices.includes(voice))
    throw new SpeechError('voice_not_found', 'The engine has no such voice')
  const lacking = lackingFor(capabilities, manner)
  if (lacking !== undefined) throw new SpeechError(lacking, 'The engine does not speak in this manner')
  return language
}
