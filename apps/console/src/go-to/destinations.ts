import { t } from '../text/text.ts'
import { placeIn } from './places.ts'

/** A page that a person can go to. */
export interface Destination {
  path: string
  name: string
}

/** Returns where a text may lead: to the object with this id, to pages of this name, or to a person. */
export function findDestinations(typed: string, pages: readonly Destination[]): readonly Destination[] {
  const text = typed.trim()
  const place = placeIn(text)
  if (place !== null) return [{ path: place.path, name: place.id }]
  const words = text.toLocaleLowerCase()
  const named = pages.filter(({ name }) => name.toLocaleLowerCase().includes(words))
  if (text === '') return named
  const person = { path: `/verifications?external_id=${encodeURIComponent(text)}`, name: t.goTo.person(text) }
  return [...named, person]
}
