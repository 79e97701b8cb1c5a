/** Fields that are erased with the media, and those that are erased with the person. */
const OF_MEDIA: ReadonlySet<string> = new Set(['extracted', 'note'])
const OF_PERSON: ReadonlySet<string> = new Set([...OF_MEDIA, 'external_id'])

const redact = (text: string, fields: ReadonlySet<string>): string =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (fields.has(name) ? null : value)))

/** Removes what belongs to the media from the JSON text of a verification, of a review, or of one of its entries. */
export const redactMedia = (text: string): string => redact(text, OF_MEDIA)

/** Removes all personal data from such a text, or from that of an event about a verification. */
export const redactPerson = (text: string): string => redact(text, OF_PERSON)
