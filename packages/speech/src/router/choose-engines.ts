import { type EngineCapabilities, type EngineLanguage, sampleRateOf, speaksIn } from '../engine.ts'

/** A row of the table that says which engines speak. The first row that fits a request decides. */
export interface SpeechRoute {
  /** BCP-47 tags, or primary languages such as `ne`. Default: all. */
  languages?: readonly string[]
  /** Default: all. */
  voices?: readonly string[]
  /** Names of engines, the preferred one first. Those that do not speak the language in the voice are left out. */
  engines: readonly string[]
}

type Engines = ReadonlyMap<string, EngineCapabilities>

/** Returns the names of the engines for a language and a voice, the preferred one first. */
export function chooseEngines(
  routes: readonly SpeechRoute[],
  engines: Engines,
  wanted: { language: string; voice: string },
): string[] {
  const row = routes.find(
    ({ languages, voices }) =>
      (languages === undefined || languages.some((pattern) => covers(pattern, wanted.language))) &&
      (voices === undefined || voices.includes(wanted.voice)),
  )
  return (row?.engines ?? []).filter((name) => {
    const capabilities = engines.get(name)
    return capabilities !== undefined && speaksIn(capabilities, wanted.language, wanted.voice)
  })
}

function covers(pattern: string, tag: string): boolean {
  const [wanted, given] = [pattern.toLowerCase(), tag.toLowerCase()]
  return given === wanted || given.startsWith(`${wanted}-`)
}

/**
 * Lists the languages that the table leads to an engine, each with the preferred engine of its first voice, and with the highest sample
 * rate of those that may speak it, which loses nothing.
 */
export function listLanguages(routes: readonly SpeechRoute[], engines: Engines): EngineLanguage[] {
  const allVoices = listVoices(engines)
  const highestHz = highestRate(engines.values())
  const tags = new Set([...engines.values()].flatMap(({ languages }) => languages.map(({ tag }) => tag)))
  return [...tags].flatMap((tag) => {
    const spoken = allVoices
      .map((voice) => ({ voice, names: chooseEngines(routes, engines, { language: tag, voice }) }))
      .filter(({ names }) => names.length > 0)
    const name = spoken[0]?.names[0]
    const row = engines.get(name ?? '')?.languages.find((language) => language.tag === tag)
    if (name === undefined || row === undefined) return []
    const { quality, note } = row
    const speakers = [...engines].filter(([engine]) => spoken.some(({ names }) => names.includes(engine)))
    const sampleRateHz = Math.max(...speakers.map(([, speaker]) => sampleRateOf(speaker, tag)))
    return [
      {
        tag,
        quality,
        ...(note !== undefined && { note }),
        ...(spoken.length < allVoices.length && { voices: spoken.map(({ voice }) => voice) }),
        engine: name,
        ...(sampleRateHz !== highestHz && { sampleRateHz }),
      },
    ]
  })
}

/** Returns the highest sample rate of some engines. */
export const highestRate = (engines: Iterable<EngineCapabilities>): number =>
  Math.max(...[...engines].map(({ sampleRateHz }) => sampleRateHz))

export const listVoices = (engines: Engines): string[] => [
  ...new Set([...engines.values()].flatMap(({ voices }) => voices)),
]

/** Returns whether several engines may speak a request, because one may stand in for another. */
export function hasChoice(routes: readonly SpeechRoute[], engines: Engines): boolean {
  const tags = [...engines.values()].flatMap(({ languages }) => languages.map(({ tag }) => tag))
  return tags.some((language) =>
    listVoices(engines).some((voice) => chooseEngines(routes, engines, { language, voice }).length > 1),
  )
}
