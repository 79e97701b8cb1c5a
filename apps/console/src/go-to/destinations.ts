import { t } from '../text/text.ts'

/** A page that a person can go to. */
export interface Destination {
  path: string
  name: string
}

/** Where objects are shown, by the prefix of their ids. */
const PLACES: Readonly<Record<string, string>> = {
  call_: '/calls/',
  ver_: '/verifications/',
  batch_: '/batches/',
  vox_: '/voices/',
  key_: '/keys/',
  cid_: '/caller-ids/',
  whe_: '/webhooks/endpoints/',
  dlv_: '/webhooks/deliveries/',
}

/** An id as it is copied from logs and code, maybe with quotes around it. */
const ID = /\b([a-z]+_)[0-9a-hjkmnp-tv-z]{26}\b/

/** Returns where a text may lead: to the object with this id, to pages of this name, or to a person. */
export function findDestinations(typed: string, pages: readonly Destination[]): readonly Destination[] {
  const text = typed.trim()
  const [id = '', prefix = ''] = ID.exec(text) ?? []
  const place = PLACES[prefix]
  if (place !== undefined) return [{ path: `${place}${id}`, name: id }]
  const words = text.toLocaleLowerCase()
  const named = pages.filter(({ name }) => name.toLocaleLowerCase().includes(words))
  if (text === '') return named
  const person = { path: `/verifications?external_id=${encodeURIComponent(text)}`, name: t.goTo.person(text) }
  return [...named, person]
}
