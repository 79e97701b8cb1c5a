/** Where objects are shown, by the prefix of their ids. */
const PLACES: Readonly<Record<string, (id: string) => string>> = {
  call_: (id) => `/calls/${id}`,
  ver_: (id) => `/verifications/${id}`,
  batch_: (id) => `/batches/${id}`,
  doc_: (id) => `/documents/${id}`,
  vox_: (id) => `/voices/${id}`,
  key_: (id) => `/keys/${id}`,
  mem_: (id) => `/members/${id}`,
  cid_: (id) => `/caller-ids/${id}`,
  dep_: (id) => `/deployments/${id}`,
  whe_: (id) => `/webhooks/endpoints/${id}`,
  dlv_: (id) => `/webhooks/deliveries/${id}`,
  evt_: (id) => `/webhooks?event_id=${id}`,
  req_: (id) => `/requests?request_id=${id}`,
  rfs_: (id) => `/requests?refusal_id=${id}&open=${id}`,
  aud_: (id) => `/audit?entry_id=${id}`,
  pair_: (id) => `/migration/pairs/${id}`,
  chg_: (id) => `/migration?change_id=${id}`,
}

/**
 * Prefixes of ids that no page shows, and no route finds: a session has one account, reviews list their entries whole, and numbers on a
 * do-not-call list are looked up by themselves.
 */
export const WITHOUT_PLACE = ['acct_', 'rev_', 'dnc_'] as const
type WithoutPlace = (typeof WITHOUT_PLACE)[number]

/** An id, also within text from logs and code. */
const ID = /\b([a-z]+_)[0-9a-hjkmnp-tv-z]{26}\b/

/** Returns the first id in a text with the path of its page; null if there is none, or none with a page. */
export function placeIn(text: string): { id: string; path: string } | null {
  const [id = '', prefix = ''] = ID.exec(text) ?? []
  const pathOf = Object.hasOwn(PLACES, prefix) ? PLACES[prefix] : undefined
  return pathOf === undefined ? null : { id, path: pathOf(id) }
}

/** Returns the prefix of the first id in a text if no page shows such objects. */
export function withoutPlaceIn(text: string): WithoutPlace | undefined {
  const [, prefix] = ID.exec(text) ?? []
  return WITHOUT_PLACE.find((one) => one === prefix)
}
