/** Where objects are shown, by the prefix of their ids. */
const PLACES: Readonly<Record<string, string>> = {
  call_: '/calls/',
  ver_: '/verifications/',
  batch_: '/batches/',
  vox_: '/voices/',
  key_: '/keys/',
  mem_: '/members/',
  cid_: '/caller-ids/',
  dep_: '/deployments/',
  whe_: '/webhooks/endpoints/',
  dlv_: '/webhooks/deliveries/',
  req_: '/requests?request_id=',
}

/** An id, also within text from logs and code. */
const ID = /\b([a-z]+_)[0-9a-hjkmnp-tv-z]{26}\b/

/** Returns the first id in a text with the path of its page; null if there is none, or none with a page. */
export function placeIn(text: string): { id: string; path: string } | null {
  const [id = '', prefix = ''] = ID.exec(text) ?? []
  const place = PLACES[prefix]
  return place === undefined ? null : { id, path: `${place}${id}` }
}
