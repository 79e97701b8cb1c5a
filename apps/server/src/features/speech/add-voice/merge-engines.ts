import type { EnginesInput } from '../engines-file.ts'

type Entry = EnginesInput['engines'][string]
type Route = NonNullable<EnginesInput['routes']>[number]

const isEmbedded = (entry: Entry | undefined): boolean => entry?.type === 'espeak' || entry?.type === 'flite'

/**
 * Adds an engine for some languages, before the embedded engines and after all others. Rows of routes that decide about the languages
 * get it too, and nothing else changes. `file` has no engine of that name.
 */
export function mergeEngine(
  file: EnginesInput,
  added: { name: string; entry: Entry; languages: readonly string[] },
): EnginesInput {
  const { name, entry, languages } = added
  const { engines, routes } = file
  const merged = {
    ...file,
    engines: Object.fromEntries(
      insert<[string, Entry]>(Object.entries(engines), [name, entry], ([, other]) => isEmbedded(other)),
    ),
  }
  if (routes === undefined) return merged
  const deciding = new Set(languages.flatMap((language) => rowsFor(routes, language)))
  const amended = routes.map((row) =>
    deciding.has(row)
      ? { ...row, engines: insert(row.engines, name, (other) => isEmbedded(engines[other])) }
      : row,
  )
  const left = languages.filter(
    (language) => !rowsFor(routes, language).some(({ voices }) => voices === undefined),
  )
  return {
    ...merged,
    routes: left.length === 0 ? amended : [...amended, { languages: left, engines: [name] }],
  }
}

/** Returns the engines that are asked for a language, in their order. Those that do not speak it are left out later. */
export function orderFor({ engines, routes }: EnginesInput, language: string): string[] {
  if (routes === undefined) return Object.keys(engines)
  return [...new Set(rowsFor(routes, language).flatMap((row) => row.engines))]
}

/** Returns the rows that may decide about a language: all that fit up to the first that fits every voice. */
function rowsFor(routes: readonly Route[], language: string): Route[] {
  const fitting = routes.filter(
    ({ languages }) => languages === undefined || languages.some((pattern) => covers(pattern, language)),
  )
  const last = fitting.findIndex(({ voices }) => voices === undefined)
  return last === -1 ? fitting : fitting.slice(0, last + 1)
}

/** Like the router: a pattern is a tag or the beginning of one. */
const covers = (pattern: string, language: string): boolean =>
  `${language}-`.toLowerCase().startsWith(`${pattern}-`.toLowerCase())

function insert<Item>(list: readonly Item[], item: Item, isLater: (other: Item) => boolean): Item[] {
  const at = list.findIndex(isLater)
  return at === -1 ? [...list, item] : list.toSpliced(at, 0, item)
}
