import type { EntryState } from './entry-state.ts'
import { t } from '../text/text.ts'
import { placeIn, withoutPlaceIn } from './places.ts'

/** A page that a person can go to. */
export interface Destination {
  path: string
  name: string
  /** Beside the address. */
  state?: EntryState
}

/** A page of an object that has a name. */
export interface NamedObject extends Destination {
  /** What a request calls it. */
  id: string
  /** What it is. */
  kind: string
}

/** Objects of each kind that are offered for a text. */
const MOST_OF_A_KIND = 5

/** Returns where a text may lead: to the object with this id, to pages and objects of this name, or to a person. */
export function findDestinations(
  typed: string,
  { pages, objects }: { pages: readonly Destination[]; objects: readonly NamedObject[] },
): readonly (Destination & { kind?: string })[] {
  const text = typed.trim()
  const place = placeIn(text)
  if (place !== null) return [{ path: place.path, name: place.id }]
  if (withoutPlaceIn(text) !== undefined) return []
  const words = text.toLocaleLowerCase()
  const isMeant = (name: string) => name.toLocaleLowerCase().includes(words)
  const named = pages.filter(({ name }) => isMeant(name))
  if (text === '') return named
  const meant = objects.filter(({ name, id }) => isMeant(name) || isMeant(id))
  const offered = Object.values(Object.groupBy(meant, ({ kind }) => kind)).flatMap((ofKind = []) =>
    ofKind.slice(0, MOST_OF_A_KIND),
  )
  const person = { path: '/verifications', state: { person: text }, name: t.goTo.person(text) }
  return [...named, ...offered, person]
}

/** Returns why an id in a text leads nowhere; null if it does, or if there is none. */
export function reasonWithout(typed: string): string | null {
  const prefix = withoutPlaceIn(typed)
  return prefix === undefined ? null : t.goTo.without[prefix]
}
